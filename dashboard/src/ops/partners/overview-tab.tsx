import { Anchor, Group, List, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { Card } from "../../shared/page.tsx";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { texts } from "../../texts/index.ts";
import { type AnswerOf, api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { Notes } from "../shared/notes.tsx";
import { words } from "../texts.ts";

type Partner = AnswerOf<"/ops/partners/{id}">;
const { partners: own } = words;
const FiguresCard = lazy(() => import("../../shared/figures.tsx").then((loaded) => ({ default: loaded.FiguresCard })));

/** What a partner has besides its tabs. */
const BROWSED = [
  ["/orders", texts.orders.title],
  ["/disputes", texts.disputes.title],
  ["/payouts", texts.payouts.title],
  ["/promotion-codes", texts.promotionCodes.title],
  ["/subscriptions", texts.subscriptions.title],
  ["/ruble-payments", texts.rublePayments.title],
] as const;

/** A partner's facts with what can be changed, first steps for a new one, figures and notes. */
export function OverviewTab({ partner }: { readonly partner: Partner }) {
  const { id, name, status, cell, cancel_permission, contact, created_at, earlier_cells } = partner;
  const isActive = status === "active";
  return (
    <Stack>
      <FirstSteps partner={id} />
      <Card
        title={texts.orders.facts}
        actions={
          <>
            <Action call="partners rename" given={{ id }} initial={{ name }} label={own.rename} />
            <Action call="partners contact" given={{ id }} initial={contact === null ? {} : { contact }} label={own.setContact} />
            <Action call="partners set-cancel" given={{ id }} label={own.setCancel} />
            <Action
              call={isActive ? "partners disable" : "partners enable"}
              given={{ id }}
              label={isActive ? own.disable : own.enable}
              {...(isActive ? { color: "red" } : { isImmediate: true })}
            />
          </>
        }
      >
        <Facts
          facts={[
            [own.contact, contact ?? own.noContact],
            [own.cancel, cancel_permission ?? own.cancelNone],
            [own.cell, cell],
            [own.earlier, earlier_cells.length === 0 ? null : earlier_cells.map((one) => one.cell).join(", ")],
            [own.since, <MomentWithUtc key="since" at={created_at} />],
          ]}
        />
      </Card>
      <Group gap="md" component="nav" aria-label={own.browse}>
        {BROWSED.map(([to, label]) => (
          <Anchor key={to} size="sm" renderRoot={(props) => <Link to={to} search={{ partner: id }} {...props} />}>
            {label}
          </Anchor>
        ))}
      </Group>
      <Figures partner={id} />
      <Notes target={`partner/${id}`} />
    </Stack>
  );
}

/** What a partner without anything needs. */
function FirstSteps({ partner }: { readonly partner: string }) {
  const path = { params: { path: { partner }, query: { limit: 1 } } };
  const products = api.useQuery("get", "/ops/partners/{partner}/products", path);
  const people = api.useQuery("get", "/ops/partners/{partner}/employees", path);
  const keys = api.useQuery("get", "/ops/partners/{partner}/keys", path);
  const isNew = products.data?.data.length === 0 || (people.data?.data.length === 0 && keys.data?.data.length === 0);
  if (!isNew) return null;
  const steps = [
    ["products", own.steps.product],
    ["people", own.steps.owner],
    ["keys", own.steps.key],
    ["webhooks", own.steps.webhook],
  ] as const;
  return (
    <Card title={texts.checklist.title}>
      <List type="ordered" size="sm" spacing={4}>
        {steps.map(([tab, step]) => (
          <List.Item key={tab}>
            <Anchor size="sm" renderRoot={(props) => <Link to="." search={{ tab }} {...props} />}>
              {step}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Card>
  );
}

function Figures({ partner }: { readonly partner: string }) {
  const live = api.useQuery("get", "/ops/figures", { params: { query: { partner, environment: "live" } } });
  const test = api.useQuery("get", "/ops/figures", { params: { query: { partner, environment: "test" } } });
  return (
    <>
      {(
        [
          ["live", live.data],
          ["test", test.data],
        ] as const
      ).map(([environment, data]) =>
        data === undefined ? null : (
          <Suspense key={environment} fallback={<RowsSkeleton />}>
            <FiguresCard data={data} title={`${texts.figures.title} · ${texts.environment[environment]}`} />
          </Suspense>
        ),
      )}
    </>
  );
}
