import * as z from "zod";
import { earliestOf, isoTime } from "../../../core/clock.ts";
import { type Environment, environmentSchema } from "../../../core/environment.ts";
import { toMajorUnits } from "../../../core/money.ts";
import { FIGURE_DAYS } from "../../../core/retention.ts";
import type { Deps } from "../../../deps.ts";
import { type DayFigures, readFigures } from "../../../figures/read.ts";
import { defineCall } from "../call.ts";
import { requireLocation } from "./partners.ts";

const amount = z.object({
  source: z.string().describe("processor or bank"),
  currency: z.string().describe("The settlement currency"),
  paid: z.number(),
  refunded: z.number(),
  disputed: z.number(),
});

export const figuresAnswer = z.object({
  partner_id: z.string().nullable().describe("Null for all partners together"),
  environment: environmentSchema,
  counted_at: z.string().nullable().describe("Every hour; null before the first time"),
  oldest_waiting: z.string().nullable().describe("When the oldest undelivered event was recorded"),
  days: z.array(
    z.object({
      day: z.string().describe("A day in UTC"),
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

export const figureCalls = [
  defineCall({
    command: "figures",
    method: "GET",
    path: "/ops/figures",
    role: "any",
    summary: `Payments, failures, refunds and deliveries by day, over ${FIGURE_DAYS} days: of a partner, or of all`,
    query: z.object({ partner: z.string().optional(), environment: environmentSchema.default("live") }),
    answer: figuresAnswer,
    example: "--partner acme",
    run: ({ deps }, { query }) => figuresOf(deps, query),
  }),
];

/** @throws OpsRefusal 404 for an unknown partner. */
export async function figuresOf(deps: Deps, { partner, environment }: { partner?: string | undefined; environment: Environment }) {
  const of = partner === undefined ? null : { id: partner, data: deps.ofPartner(await requireLocation(deps, partner)).data };
  const { countedAt, days } = await readFigures(deps, of, environment);
  const oldest = earliestOf(days.map(({ deliveries }) => deliveries.oldestWaiting));
  return {
    partner_id: of?.id ?? null,
    environment,
    counted_at: countedAt === null ? null : isoTime(countedAt),
    oldest_waiting: oldest === null ? null : isoTime(oldest),
    days: days.map(viewDay),
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
