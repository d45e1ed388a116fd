import * as z from "zod";
import { CallBudget } from "../../core/call-budget.ts";
import { SECOND } from "../../core/clock.ts";
import { rejectInput } from "../../core/errors.ts";
import { errorFields } from "../../core/log.ts";
import { dayIn, daysAfter, startOfDay } from "../../core/time-zone.ts";
import { paidByLink } from "../../ledger/movements/paid-count.ts";
import { opensByDay } from "../../opens/store.ts";
import { type AskedPeriod, periodQuery, startOf, untilOf } from "../calls/moments.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { requireLink } from "./links.ts";
import { ownDeps, seesMoney, zoneOf } from "./rows.ts";

/** The period of a funnel unless it is said, in days. */
const USUAL_DAYS = 30;
/** Checkouts that are counted at most: the processor lists a hundred in a call. */
const MOST_CHECKOUTS = 300;
/** How long the page waits for the processor. */
const WAIT = 5 * SECOND;

const funnelAnswer = z.object({
  from: z.string(),
  to: z.string().describe("The last day, which is in it"),
  time_zone: z.string().describe("Its days are days of this zone"),
  opened: z
    .int()
    .nullable()
    .describe(
      "How often customers opened the short link, without robots and previews; some 20 minutes behind. Null where this service does not count",
    ),
  begun: z.int().nullable().describe("Checkouts that they began; null if the processor did not answer"),
  is_begun_complete: z.boolean().describe(`False if there were more than ${MOST_CHECKOUTS}: \`begun\` has the newest`),
  paid: z.int().nullable().describe("Payments; a subscription counts once, by its first. Null without `balance_view`"),
  days: z.array(z.object({ day: z.string(), opened: z.int() })).describe("Of the days on which it was opened"),
});

/** How many customers opened a link in a period, began to pay, and paid. Whole days: openings are counted by day. @throws ServiceFailure `invalid_input` */
async function funnelOf(asker: Asker, id: string, asked: AskedPeriod): Promise<z.input<typeof funnelAnswer>> {
  const { found: link } = await requireLink(asker, id);
  const { clock, log, readOpens } = asker.deps;
  const zone = await zoneOf(asker, link.partnerId);
  const to = dayIn(asked.until === undefined ? clock.now() : untilOf(asked.until, zone) - 1, zone);
  const from = asked.since === undefined ? daysAfter(to, 1 - USUAL_DAYS) : dayIn(startOf(asked.since, zone), zone);
  if (from > to) rejectInput("since: must not be after `until`", "since");
  const days = { from, to };
  const period = { from: startOfDay(from, zone), to: startOfDay(daysAfter(to, 1), zone) };
  const { data } = await ownDeps(asker, link.partnerId);
  // Counted by the partner's own share of the processor's calls.
  const budget = new CallBudget(clock, WAIT, (environment) => asker.deps.mayCallFor(link.partnerId, environment));
  budget.environment = link.environment;
  const countBegun = async () => {
    try {
      return await asker.deps.processor(link.environment).countCheckouts(id, period, MOST_CHECKOUTS + 1, { budget });
    } catch (thrown) {
      log.error("checkouts not counted", { payment_link: id, ...errorFields(thrown) });
      return null;
    }
  };
  const [begun, paid, opened] = await Promise.all([
    countBegun(),
    seesMoney(asker) ? paidByLink(data, { link: id }, period) : null,
    data.each(({ db }) => opensByDay(db, id, days)),
  ]);
  // A partner that was split has the openings of one day in two cells.
  const byDay = [...Map.groupBy(opened.flat(), ({ day }) => day)].map(([day, rows]) => ({
    day,
    opened: sum(rows.map(({ opens }) => opens)),
  }));
  return {
    ...days,
    time_zone: zone,
    opened: readOpens === null ? null : sum(byDay.map((one) => one.opened)),
    begun: begun === null ? null : Math.min(begun, MOST_CHECKOUTS),
    is_begun_complete: begun === null || begun <= MOST_CHECKOUTS,
    paid: paid === null ? null : (paid.get(id) ?? 0),
    days: byDay.toSorted((one, other) => (one.day < other.day ? -1 : 1)),
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const SUMMARY = `How many customers opened a payment link, began to pay and paid; of the last ${USUAL_DAYS} days unless said`;

export const linkFunnelCall = defineForBoth({
  query: z.object(periodQuery),
  partner: {
    command: "links funnel",
    path: "/partner/links/{link}/funnel",
    permission: "products_view",
    summary: SUMMARY,
    answer: funnelAnswer,
    example: "plink_0123… --since 2026-11-01",
  },
  operator: { command: "payment-links funnel", path: "/ops/payment-links/{link}/funnel", role: "any" },
  run: (asker, { params: { link }, query }) => funnelOf(asker, link, query),
});
