import { Alert, Anchor, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { AlertIcon, CheckCircleIcon } from "@primer/octicons-react";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { environmentFilter } from "../../objects/object-list.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { Filters } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Card, Note, Page } from "../../shared/page.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { api } from "../api/client.ts";
import { WithDocs } from "../shared/with-docs.tsx";
import { words } from "../texts.ts";

const FiguresCard = lazy(() => import("../../shared/figures.tsx").then((loaded) => ({ default: loaded.FiguresCard })));

const { home: own } = words;

/** The page that works off what a command lists. */
const PAGES: Readonly<Record<string, string>> = {
  "products search --moderation in_review": "/moderation",
  "payouts list --state waiting": "/payouts?state=waiting",
  "disputes list --state needs_response": "/disputes?state=needs_response&env=live",
  "short-links waiting": "/short-links",
  "endpoints list": "/webhooks",
  "movements waiting": "/ledger",
  "parked-payments list": "/ledger?tab=parked",
  "parked-payments list --state gone": "/ledger?tab=gone",
  "work list deliveries": "/work?tab=deliveries",
  "work list look-ups": "/work?tab=look-ups",
  "work list operations": "/work?tab=operations",
  "work list compensations": "/work?tab=compensations",
  "work list ruble-payments": "/work?tab=ruble-payments",
  "work list comparisons": "/work?tab=comparisons",
  "bank-notifications waiting": "/bank",
};

/** What waits for a person, whether the service is well, and thirty days. */
export function HomePage() {
  return (
    <Page title={words.navigation.home} about={own.about}>
      <Waiting />
      <Health />
      <Figures />
    </Page>
  );
}

function Waiting() {
  const { data, error, refetch } = api.useQuery("get", "/ops/waiting", {}, { refetchInterval: 60_000 });
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  const waiting = data.data.filter(({ count }) => count !== 0);
  return (
    <Card title={own.waiting}>
      {waiting.length === 0 && <Empty title={own.nothing} next={own.nothingNext} icon={CheckCircleIcon} />}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {waiting.map(({ kind, count, oldest, command }) => {
          return (
            <Anchor
              key={kind}
              underline="never"
              c="inherit"
              className="card tile"
              p="md"
              renderRoot={(props) => <Link {...pageOf(command)} {...props} />}
            >
              <Text size="sm">{kind}</Text>
              <Text fw={650} fz="xl">
                {count === null ? own.unknown : own.all(count)}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                {oldest === null ? " " : own.oldest} {oldest !== null && <MomentText at={oldest} />}
              </Text>
            </Anchor>
          );
        })}
      </SimpleGrid>
    </Card>
  );
}

/** The page of a command, as the target of a link. */
function pageOf(command: string) {
  const [to = "/", query = ""] = (PAGES[command] ?? "/").split("?");
  return { to, search: Object.fromEntries(new URLSearchParams(query)) };
}

function Health() {
  const waiting = api.useQuery("get", "/ops/waiting", {}, { refetchInterval: 60_000 });
  const { data, error } = api.useQuery("get", "/ops/health", {}, { refetchInterval: 60_000 });
  if (error !== null) return <Failure thrown={error} />;
  if (data === undefined) return null;
  const kinds = new Set(waiting.data?.data.map(({ kind }) => kind));
  // What waits for a person stands above.
  const shown = data.checks.filter(({ check, state }) => state !== "ok" && !kinds.has(check));
  if (shown.length === 0)
    return (
      <Group gap="xs" c="dimmed" fz="sm">
        <CheckCircleIcon size={16} aria-hidden /> {own.healthy}
      </Group>
    );
  return (
    <Card title={own.health}>
      <Stack gap="xs">
        {shown.map(({ check, state, detail, cure, list }) => (
          <Alert key={check} color={state === "failed" ? "red" : "orange"} icon={<AlertIcon size={16} aria-hidden />} title={check}>
            <Text size="sm">
              {detail} <WithDocs text={cure ?? ""} />
            </Text>
            {list !== null && PAGES[list] !== undefined && (
              <Anchor size="sm" renderRoot={(props) => <Link {...pageOf(list)} {...props} />}>
                {own.list}
              </Anchor>
            )}
          </Alert>
        ))}
      </Stack>
    </Card>
  );
}

function Figures() {
  const { env } = useSearchTexts();
  const environment = env === "test" ? "test" : "live";
  const { data, error } = api.useQuery("get", "/ops/figures", { params: { query: { environment } } }, { refetchInterval: 60_000 });
  if (error !== null) return <Failure thrown={error} />;
  if (data === undefined) return <RowsSkeleton />;
  const isEmpty = data.totals.every(({ payments, events }) => payments === 0 && events === 0);
  return (
    <Stack>
      <Filters filters={[environmentFilter]} />
      {isEmpty ? (
        <Note>{own.noFigures}</Note>
      ) : (
        <Suspense fallback={<RowsSkeleton />}>
          <FiguresCard data={data} title={own.figures} />
        </Suspense>
      )}
    </Stack>
  );
}
