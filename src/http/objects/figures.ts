import * as z from "zod";
import { earliestOf, isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { type Environment, environmentSchema, environments } from "../../core/environment.ts";
import { inMajorUnits } from "../../core/money.ts";
import { FIGURE_DAYS } from "../../core/retention.ts";
import { type DayFigures, type Figures, readFigures, totalsOf } from "../../figures/read.ts";
import { listEnvironment } from "../calls/lists.ts";
import { defineForBoth } from "./define.ts";
import { byPartner, ownDeps } from "./rows.ts";

const counts = {
  payments: z.int(),
  failures: z.int(),
  refunds: z.int(),
  disputes: z.int(),
  events: z.int(),
  delivered: z.int(),
  given_up: z.int(),
};

const sums = z
  .array(
    z.object({ currency: z.string().describe("The settlement currency"), paid: z.number(), refunded: z.number(), disputed: z.number() }),
  )
  .describe("By currency, in major units, not negative");

/** The figures of an environment by day. */
const figuresView = z.object({
  environment: environmentSchema.nullable().describe("Null if none was asked for: then each day has both, one after the other"),
  counted_at: z
    .string()
    .nullable()
    .describe("When the days before today were counted, which is every hour; null before the first time. Today is counted now"),
  time_zone: z.literal("UTC").describe("Its days are days of UTC, also for a partner of another zone: reports have days of its own"),
  oldest_waiting: z.string().nullable().describe("When the oldest undelivered event was recorded"),
  totals: z.array(z.object({ environment: environmentSchema, ...counts, sums })).describe("Of all the days, for each environment"),
  days: z.array(
    z.object({
      day: z.string().describe("A day in UTC"),
      environment: environmentSchema,
      ...counts,
      waiting: z.int(),
      sums,
      amounts: z
        .array(
          z.object({
            source: z.string().describe("processor or bank"),
            currency: z.string().describe("The settlement currency"),
            paid: z.number(),
            refunded: z.number(),
            disputed: z.number(),
          }),
        )
        .describe("In major units"),
    }),
  ),
});

const SUMMED = ["paid", "refunded", "disputed"] as const;

type Sums = ReturnType<typeof totalsOf>["sums"];

const viewSums = (of: Sums) =>
  of.map(({ currency, paid, refunded, disputed }) => ({
    currency,
    ...inMajorUnits(SUMMED, { paid, refunded: Math.abs(refunded), disputed: Math.abs(disputed) }, currency),
  }));

function viewTotals(days: readonly DayFigures[]) {
  const { givenUp, waiting: _, sums: of, ...rest } = totalsOf(days);
  return { ...rest, given_up: givenUp, sums: viewSums(of) };
}

/** The last `shown` days of an environment; its oldest undelivered event may be older. */
function viewEnvironment({ countedAt, days }: Figures, environment: Environment, shown: number) {
  const last = days.slice(-shown);
  return {
    countedAt,
    oldest: earliestOf(days.map(({ deliveries }) => deliveries.oldestWaiting)),
    totals: { environment, ...viewTotals(last) },
    days: last.map((day) => ({
      day: isoTime(day.day).slice(0, 10),
      environment,
      ...viewTotals([day]),
      waiting: day.deliveries.waiting,
      amounts: day.payments.map((row) => ({ source: row.source, currency: row.currency, ...inMajorUnits(SUMMED, row, row.currency) })),
    })),
  };
}

const days = z.coerce
  .number(`must be a whole number from 1 to ${FIGURE_DAYS}`)
  .int()
  .min(1)
  .max(FIGURE_DAYS)
  .default(FIGURE_DAYS)
  .describe(`How many days, up to today: 1 to ${FIGURE_DAYS}`);

export const figureCalls = [
  defineForBoth({
    query: z.object({ environment: listEnvironment, days }),
    partner: {
      command: "figures",
      path: "/partner/figures",
      permission: "balance_view",
      summary: "Payments, failures, refunds and deliveries by day and currency",
      answer: figuresView,
      example: "--days 7",
    },
    operator: {
      role: "any",
      summary: `Payments, failures, refunds and deliveries by day, over ${FIGURE_DAYS} days: of a partner, or of all`,
      filters: byPartner,
      answer: figuresView.extend({ partner_id: z.string().nullable().describe("Null for all partners together") }),
      example: "--partner acme",
    },
    async run(asker, { query: { environment, days: shown, partner } }) {
      const id = asker.partner?.caller.partnerId ?? partner ?? null;
      const of = id === null ? null : { id, data: (await ownDeps(asker, id)).data };
      const asked = environment === undefined ? environments : [environment];
      const found = await Promise.all(asked.map(async (one) => viewEnvironment(await readFigures(asker.deps, of, one), one, shown)));
      return {
        partner_id: id,
        environment: environment ?? null,
        time_zone: "UTC" as const,
        counted_at: isoTimeOrNull(found[0]?.countedAt ?? null),
        oldest_waiting: isoTimeOrNull(earliestOf(found.map(({ oldest }) => oldest))),
        totals: found.map(({ totals }) => totals),
        days: (found[0]?.days ?? []).flatMap((_day, index) => found.flatMap((one) => one.days[index] ?? [])),
      };
    },
  }),
];
