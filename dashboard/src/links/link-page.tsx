import { Group, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { api, client } from "../api/client.ts";
import { statusOf } from "../api/failure.ts";
import { refreshAll } from "../api/queries.ts";
import type { paths } from "../api/schema.d.ts";
import { Confirm } from "../shared/confirm.tsx";
import { Copied } from "../shared/copy.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Facts } from "../shared/facts.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentWithUtc } from "../shared/moment.tsx";
import { Money } from "../shared/money.tsx";
import { NotFound } from "../shared/not-found.tsx";
import { Card, Page } from "../shared/page.tsx";
import { PageSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironmentOf } from "../shell/environment.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { LinkAddress } from "./link-address.tsx";

type ShownLink = paths["/partner/links/{link}"]["get"]["responses"]["200"]["content"]["application/json"];

const route = getRouteApi("/shell/links/$link");
const { links: words } = texts;

/** One payment link: its address with a QR code, what was paid through it, closing and opening. */
export function LinkPage() {
  const { link } = route.useParams();
  const { data, error, refetch } = api.useQuery("get", "/partner/links/{link}", { params: { path: { link } } });
  useEnvironmentOf(data);
  if (data === undefined) {
    if (statusOf(error) === 404) return <NotFound />;
    return error ? <Failure thrown={error} retry={() => void refetch()} /> : <PageSkeleton />;
  }
  return (
    <Page
      back={{ to: "/links", label: words.title }}
      title={words.one}
      about={
        <Group gap="xs">
          <Status status={data.disabled_at === null ? "open" : "disabled"} />
          <Copied value={link} what={words.id} />
        </Group>
      }
      actions={<Actions link={data} />}
    >
      <Card title={words.address}>
        {data.short_url === null ? <Text size="sm">{words.noShortUrl}</Text> : <LinkAddress shortUrl={data.short_url} />}
      </Card>
      <Card title={words.paid}>
        {data.paid.length === 0 ? (
          <Empty title={words.nothingPaid} />
        ) : (
          <DataTable
            label={words.paid}
            rows={data.paid}
            keyOf={({ type, status, currency }) => `${type} ${status} ${currency}`}
            columns={[
              {
                header: texts.payments.kind,
                cell: ({ type }) => (type === null ? texts.payments.unclassified : (texts.movement[type] ?? type)),
              },
              { header: texts.payments.status, from: "sm", cell: ({ status }) => <Status status={status} /> },
              { header: words.count, align: "right", cell: ({ count }) => <span className="amount">{count.toLocaleString()}</span> },
              {
                header: texts.payments.amount,
                align: "right",
                cell: ({ amount, currency }) => <Money amount={amount} currency={currency} strong />,
              },
            ]}
          />
        )}
        {!data.is_complete && <Text size="sm">{words.incomplete}</Text>}
      </Card>
      <Card title={texts.payments.facts}>
        <Facts
          facts={[
            [words.products, data.product_ids.join(", ")],
            [words.madeFor, words.source[data.source]],
            [words.mode, words.modes[data.mode]],
            [words.currency, data.currency],
            [words.created, <MomentWithUtc key="created" at={data.created_at} />],
            [words.disabledAt, data.disabled_at === null ? null : <MomentWithUtc key="disabled" at={data.disabled_at} />],
          ]}
        />
      </Card>
    </Page>
  );
}

/** Closes an open link; opens one that the partner closed. */
function Actions({ link }: { readonly link: ShownLink }) {
  const mayChange = useMay("product_create");
  if (!mayChange) return null;
  const params = { params: { path: { link: link.payment_link_id } } };
  if (link.disabled_at === null)
    return (
      <Confirm
        label={words.disable}
        title={words.disableTitle}
        consequence={words.disableWhat}
        color="red"
        act={async () => {
          await client.POST("/partner/links/{link}/disable", params);
          await refreshAll();
        }}
      />
    );
  if (link.disabled_by === "support") return <Text size="sm">{words.bySupport}</Text>;
  return (
    <Confirm
      label={words.enable}
      title={words.enableTitle}
      consequence={words.enableWhat}
      act={async () => {
        await client.POST("/partner/links/{link}/enable", params);
        await refreshAll();
      }}
    />
  );
}
