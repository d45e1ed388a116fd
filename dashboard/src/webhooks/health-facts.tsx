import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { api } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { type Column, DataTable } from "../shared/data-table.tsx";
import { dayText } from "../shared/day-text.ts";
import { Failure } from "../shared/failure.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { texts } from "../texts/index.ts";
import { ownLocale } from "../texts/own-language.ts";

type Health = paths["/partner/webhooks/{webhook}/health"]["get"]["responses"]["200"]["content"]["application/json"];
type Day = Health["days"][number];

const { webhooks: words } = texts;
const SUMMARY_DAYS = 7;
const TABLE_DAYS = 90;

const percentText = (percent: number | null): string => (percent === null ? "–" : `${percent.toLocaleString(ownLocale())} %`);

const share = (header: string, of: (day: Day) => number | null): Column<Day> => ({
  header,
  align: "right",
  sortBy: of,
  cell: (day) => <span className="amount">{percentText(of(day))}</span>,
});

const columns: readonly Column<Day>[] = [
  { header: words.day, sortBy: (day) => day.day, cell: (day) => dayText(day.day) },
  { header: words.deliveries, align: "right", sortBy: (day) => day.deliveries, cell: (day) => day.deliveries.toLocaleString(ownLocale()) },
  share(words.delivered, (day) => day.delivered_percent),
  share(words.inSecond, (day) => day.within_second_percent),
  share(words.inMinute, (day) => day.within_minute_percent),
  share(words.inHour, (day) => day.within_hour_percent),
  {
    header: words.attempts,
    align: "right",
    from: "sm",
    sortBy: (day) => day.attempts,
    cell: (day) => day.attempts.toLocaleString(ownLocale()),
  },
];

/** How soon a webhook took what was sent to it in the last days. */
export function HealthFacts({ webhook }: { readonly webhook: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const { data } = api.useQuery("get", "/partner/webhooks/{webhook}/health", {
    params: { path: { webhook }, query: { days: SUMMARY_DAYS } },
  });
  if (data === undefined) return <Text size="sm">–</Text>;
  const { deliveries, delivered_percent, within_second_percent, within_minute_percent } = data.totals;
  return (
    <Group gap="xs">
      <Text size="sm">
        {deliveries === 0
          ? words.noDeliveries
          : words.healthOf(
              deliveries,
              percentText(delivered_percent),
              percentText(within_second_percent),
              percentText(within_minute_percent),
            )}
      </Text>
      <Button size="compact-xs" variant="default" onClick={open}>
        {words.byDay}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.healthTitle} size="xl">
        <HealthByDay webhook={webhook} />
      </Modal>
    </Group>
  );
}

/** Each day as a bar: as high as the share that was delivered, and filled as far as it was delivered within a second. */
function HealthPicture({ days }: { readonly days: readonly Day[] }) {
  return (
    <div className="health" role="img" aria-label={words.healthPicture}>
      {days.map(({ day, delivered_percent: delivered, within_second_percent: inSecond }) => (
        <div key={day} title={`${day}: ${percentText(delivered)}, ${words.inSecond} ${percentText(inSecond)}`}>
          <div className="delivered" style={{ height: `${delivered ?? 0}%` }} />
          <div className="in-second" style={{ height: `${inSecond ?? 0}%` }} />
        </div>
      ))}
    </div>
  );
}

function HealthByDay({ webhook }: { readonly webhook: string }) {
  const { data, error, refetch } = api.useQuery("get", "/partner/webhooks/{webhook}/health", {
    params: { path: { webhook }, query: { days: TABLE_DAYS } },
  });
  if (data === undefined) return error === null ? <RowsSkeleton /> : <Failure thrown={error} retry={() => void refetch()} />;
  return (
    <Stack>
      <HealthPicture days={data.days} />
      <DataTable label={words.healthTitle} columns={columns} rows={data.days.toReversed()} keyOf={({ day }) => day} />
    </Stack>
  );
}
