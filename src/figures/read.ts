import type { CellCode } from "../core/cell-code.ts";
import { type Clock, DAY, earliestOf } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { FIGURE_DAYS } from "../core/retention.ts";
import { type AllDatabases, askDatabase } from "../db/all-databases.ts";
import type { Cell, Directory } from "../db/client.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { partnersByCell } from "../partners/location-store.ts";
import { countDay, countedAt, startOfDay } from "./count.ts";
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
  readonly everyCell: () => readonly CountedCell[];
}

interface CountedCell {
  readonly databaseName: CellCode;
  readonly db: Cell;
}

const NO_DELIVERIES: Deliveries = { events: 0, delivered: 0, givenUp: 0, waiting: 0, oldestWaiting: null };

/**
 * The figures of the last thirty days, of a partner or of all partners. The days before today were counted by the cron:
 * about thirty rows of each cell, whatever the volume. Today is counted now, from its own payments and events, by index.
 */
export async function readFigures(
  deps: ReadDeps,
  of: { readonly id: string; readonly data: PartnerData<CountedCell> } | null,
  environment: Environment,
): Promise<Figures> {
  const today = startOfDay(deps.clock.now());
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
    days: days.map((day) => ({
      day,
      payments: addUp(payments.filter((row) => row.day === day)),
      deliveries: deliveries.filter((row) => row.day === day).reduce<Deliveries>(plus, NO_DELIVERIES),
    })),
  };
}

/** Sums by source and currency, across cells. */
function addUp(rows: readonly DailyPayments[]): Amounts[] {
  const groups = Map.groupBy(rows, ({ source, currency }) => `${source} ${currency}`);
  const sorted = [...groups].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return sorted.map(([, group]) =>
    group.reduce<Amounts>(
      (sum, row) => ({
        source: row.source,
        currency: row.currency,
        payments: sum.payments + row.payments,
        paid: sum.paid + row.paid,
        failures: sum.failures + row.failures,
        refunds: sum.refunds + row.refunds,
        refunded: sum.refunded + row.refunded,
        disputes: sum.disputes + row.disputes,
        disputed: sum.disputed + row.disputed,
      }),
      NOTHING,
    ),
  );
}

const NOTHING: Amounts = {
  source: "processor",
  currency: "",
  payments: 0,
  paid: 0,
  failures: 0,
  refunds: 0,
  refunded: 0,
  disputes: 0,
  disputed: 0,
};

function plus(sum: Deliveries, row: Deliveries): Deliveries {
  return {
    events: sum.events + row.events,
    delivered: sum.delivered + row.delivered,
    givenUp: sum.givenUp + row.givenUp,
    waiting: sum.waiting + row.waiting,
    oldestWaiting: earliestOf([sum.oldestWaiting, row.oldestWaiting]),
  };
}

const COUNTED = ["payments", "failures", "refunds", "disputes"] as const;
const SUMMED = ["paid", "refunded", "disputed"] as const;

/** What some days come to. Sums by currency, of all sources, in minor units, signed as the days' are. */
export function totalsOf(days: readonly DayFigures[]) {
  const rows = days.flatMap(({ payments }) => payments);
  const count = (of: (typeof COUNTED)[number]) => rows.reduce((sum, row) => sum + row[of], 0);
  const [payments, failures, refunds, disputes] = [count("payments"), count("failures"), count("refunds"), count("disputes")];
  const sums = [...Map.groupBy(rows, ({ currency }) => currency)]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([currency, group]) => {
      const sum = (of: (typeof SUMMED)[number]) => group.reduce((total, row) => total + row[of], 0);
      return { currency, paid: sum("paid"), refunded: sum("refunded"), disputed: sum("disputed") };
    });
  const { events, delivered, givenUp, waiting } = days.map(({ deliveries }) => deliveries).reduce<Deliveries>(plus, NO_DELIVERIES);
  return { payments, failures, refunds, disputes, events, delivered, givenUp, waiting, sums };
}
