import * as z from "zod";
import { earliestOf, isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { type Environment, environmentSchema } from "../../core/environment.ts";
import { toMajorUnits } from "../../core/money.ts";
import type { DayFigures, Figures } from "../../figures/read.ts";

const amount = z.object({
  source: z.string().describe("processor or bank"),
  currency: z.string().describe("The settlement currency"),
  paid: z.number(),
  refunded: z.number(),
  disputed: z.number(),
});

/** The figures of an environment by day. */
export const figuresView = z.object({
  environment: environmentSchema.nullable().describe("Null if none was asked for: then each day has both, one after the other"),
  counted_at: z
    .string()
    .nullable()
    .describe("When the days before today were counted, which is every hour; null before the first time. Today is counted now"),
  oldest_waiting: z.string().nullable().describe("When the oldest undelivered event was recorded"),
  days: z.array(
    z.object({
      day: z.string().describe("A day in UTC"),
      environment: environmentSchema,
      payments: z.int(),
      failures: z.int(),
      refunds: z.int(),
      disputes: z.int(),
      events: z.int(),
      delivered: z.int(),
      given_up: z.int(),
      waiting: z.int(),
      amounts: z.array(amount).describe("In major units"),
    }),
  ),
});

/** The figures of the last `shown` days; the oldest undelivered event may be older. */
export function viewFigures({ countedAt, days }: Figures, environment: Environment, shown = days.length) {
  const oldest = earliestOf(days.map(({ deliveries }) => deliveries.oldestWaiting));
  return {
    counted_at: isoTimeOrNull(countedAt),
    oldest_waiting: isoTimeOrNull(oldest),
    days: days.slice(-shown).map((day) => ({ environment, ...viewDay(day) })),
  };
}

function viewDay({ day, payments, deliveries }: DayFigures) {
  const sum = (count: "payments" | "failures" | "refunds" | "disputes") => payments.reduce((total, row) => total + row[count], 0);
  return {
    day: isoTime(day).slice(0, 10),
    payments: sum("payments"),
    failures: sum("failures"),
    refunds: sum("refunds"),
    disputes: sum("disputes"),
    events: deliveries.events,
    delivered: deliveries.delivered,
    given_up: deliveries.givenUp,
    waiting: deliveries.waiting,
    amounts: payments.map(({ source, currency, paid, refunded, disputed }) => ({
      source,
      currency,
      paid: toMajorUnits(paid, currency),
      refunded: toMajorUnits(refunded, currency),
      disputed: toMajorUnits(disputed, currency),
    })),
  };
}
