import { type Clock, DAY, earliestOf, startOfUtcDay } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { FIGURE_DAYS } from "../core/retention.ts";
import { addedUp, groupsBy } from "../core/sums.ts";
import { type AllDatabases, askDatabase } from "../db/all-databases.ts";
import type { Directory, NamedCell } from "../db/client.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { partnersByCell } from "../partners/location-store.ts";
import { countDay, countedAt } from "./count.ts";
import { ALL, type DailyDeliveries, type DailyPayments, readDays } from "./store.ts";

type Amounts = Omit<DailyPayments, "day" | "partnerId" | "environment">;
type Deliveries = Omit<DailyDeliveries, "day" | "partnerId" | "environment">;

/** One day (UTC). `day` in Unix milliseconds, amounts in minor units. */
export interface DayFigures {
  readonly day: number;
  /** One for each source and currency with payments. */
  readonly payments: readonly Amounts[];
  readonly deliveries: Deliveries;
}

export interface Figures {
  /** When the days before today were counted: the earliest of the cells; null if one was never counted. */
  readonly countedAt: number | null;
  /** Oldest first, each day once, empty days included. */
  readonly days: readonly DayFigures[];
}

interface ReadDeps extends Pick<AllDatabases, "reach"> {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly everyCell: () => readonly NamedCell[];
}

/**
 * The figures of the last thirty days, of a partner or of all partners. The days before today were counted by the cron:
 * about thirty rows of each cell, whatever the volume. Today is counted now, from its own payments and events, by index.
 */
export async function readFigures(
  deps: ReadDeps,
  of: { readonly id: string; readonly data: PartnerData<NamedCell> } | null,
  environment: Environment,
): Promise<Figures> {
  const today = startOfUtcDay(deps.clock.now());
  const days = Array.from({ length: FIGURE_DAYS }, (_, index) => today - (FIGURE_DAYS - 1 - index) * DAY);
  const cells = of?.data.cells ?? deps.everyCell();
  const idsIn = of === null ? await partnersByCell(deps.directory) : () => [of.id];
  const answers = await Promise.all(
    cells.map(({ databaseName, db }) =>
      askDatabase(deps, databaseName, async () => {
        const [at, [payments, deliveries], now] = await Promise.all([
          countedAt(db),
          readDays(db, of?.id ?? ALL, environment, days.slice(0, -1)),
          countDay(db, idsIn(databaseName), today),
        ]);
        const isOf = (row: { readonly environment: Environment }) => row.environment === environment;
        return { at, payments: [...payments, ...now.payments.filter(isOf)], deliveries: [...deliveries, ...now.deliveries.filter(isOf)] };
      }),
    ),
  );
  const found = answers.flatMap((answer) => answer ?? []);
  const counted = found.map(({ at }) => at);
  const [payments, deliveries] = [found.flatMap((one) => one.payments), found.flatMap((one) => one.deliveries)];
  return {
    countedAt: counted.includes(null) ? null : earliestOf(counted),
    days: days.map((day) => {
      const [paid, delivered] = [payments.filter((row) => row.day === day), deliveries.filter((row) => row.day === day)];
      const oldestWaiting = earliestOf(delivered.map((row) => row.oldestWaiting));
      return { day, payments: addUp(paid), deliveries: { ...addedUp(DELIVERED, delivered), oldestWaiting } };
    }),
  };
}

/** Sums by source and currency, across cells. */
function addUp(rows: readonly DailyPayments[]): Amounts[] {
  return groupsBy(rows, ({ source, currency }) => `${source} ${currency}`).flatMap(([, group]) =>
    group.slice(0, 1).map(({ source, currency }) => ({ source, currency, ...addedUp([...COUNTED, ...SUMMED], group) })),
  );
}

const COUNTED = ["payments", "failures", "refunds", "disputes"] as const;
const SUMMED = ["paid", "refunded", "disputed"] as const;
const DELIVERED = ["events", "delivered", "givenUp", "waiting"] as const;

/** What some days come to. Sums by currency, of all sources, in minor units, signed as the days' are. */
export function totalsOf(days: readonly DayFigures[]) {
  const rows = days.flatMap(({ payments }) => payments);
  const sums = groupsBy(rows, ({ currency }) => currency).map(([currency, group]) => ({ currency, ...addedUp(SUMMED, group) }));
  const deliveries = days.map((day) => day.deliveries);
  return { ...addedUp(COUNTED, rows), ...addedUp(DELIVERED, deliveries), sums };
}
