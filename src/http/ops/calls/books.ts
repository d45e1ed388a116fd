import * as z from "zod";
import { standingOf, sumStanding } from "../../../books/booked.ts";
import { checkBank, checkMovements, type Difference, MOST_COMPARED } from "../../../books/check.ts";
import { rebuildOrders } from "../../../books/rebuild.ts";
import { closedStatements, statementBefore } from "../../../books/statements.ts";
import { isoTimeOrNull } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { toMajorUnits } from "../../../core/money.ts";
import { monthsAfter, startOfMonth } from "../../../core/time-zone.ts";
import type { Deps } from "../../../deps.ts";
import { monthField } from "../../calls/moments.ts";
import { booksOf } from "../../objects/books-of.ts";
import { requirePartner } from "../../objects/partner-lookup.ts";
import { ownDeps, zoneOf } from "../../objects/rows.ts";
import { defineCall } from "../define-call.ts";

const differenceView = z.object({
  kind: z
    .enum(["missing", "unknown", "doubled", "differs", "status", "statement"])
    .describe(
      "What we lack, what they do not know, what is in two databases, other sums, another status at the bank, a closed statement that no longer adds up",
    ),
  id: z.string(),
  ours: z.string().nullable(),
  theirs: z.string().nullable(),
  cure: z.string(),
});

/** The closed statements of a month whose lines no longer sum to them: something changed movements beside the service. */
async function checkStatements(deps: Deps, partner: string, month: string): Promise<Difference[]> {
  const of = await booksOf({ deps, actor: { name: "", requestId: "" }, partner: null }, partner);
  const closed = (await closedStatements(of.db, partner)).filter((one) => one.month === month);
  const found = closed.map(async (one): Promise<Difference[]> => {
    const sums = await sumStanding(of, standingOf(one, await statementBefore(of.db, one)));
    const text = ({ payments, refunds, disputes, fees, terms }: typeof sums) => [payments, refunds, disputes, fees, terms].join(" ");
    const [ours, theirs] = [text(one), text(sums)];
    const cure = "compare the movements of the month with the processor's: one was changed after the statement was closed";
    return ours === theirs ? [] : [{ kind: "statement", id: one.id, ours, theirs, cure }];
  });
  return (await Promise.all(found)).flat();
}

export const booksCalls = [
  defineCall({
    command: "books check",
    path: "/ops/books/check",
    role: "any",
    // A cell that does not answer would look like one without movements.
    isPartial: false,
    summary: "Compares a month of our books with the processor's transactions and the bank's payments, fetched again",
    query: z.object({
      month: monthField.describe("Of the partner's time zone; without a partner of UTC"),
      partner: z.string().optional().describe("Only this partner's, and its closed statements; left out: all, and what is missing here"),
      environment: environmentSchema.default("live"),
    }),
    answer: z.object({
      differences: z.array(differenceView),
      sums: z
        .array(
          z.object({
            currency: z.string(),
            part: z.enum(["movements", "platform"]).describe("Of payments, or of what is between the processor and us"),
            ours: z.number().describe("After fees, in major units"),
            theirs: z.number(),
            difference: z.number().describe("`ours` − `theirs`"),
          }),
        )
        .describe("By currency, of the processor. With a partner of what our books have of it"),
      checked: z.int().describe("Transactions of the processor and payments of the bank"),
      ended_at: z
        .string()
        .nullable()
        .describe(
          `Null if the month was compared whole. Otherwise what is older was not: there are more than ${MOST_COMPARED.transactions.toLocaleString("en")} transactions, or ${MOST_COMPARED.payments} ruble payments`,
        ),
    }),
    example: "--month 2026-10",
    async run({ deps, actor }, { query: { month, partner, environment } }) {
      if (partner !== undefined) await requirePartner(deps, partner);
      const zone = await zoneOf({ deps, actor, partner: null }, partner);
      const period = { from: startOfMonth(month, zone), to: startOfMonth(monthsAfter(month, 1), zone) };
      const ofCards = await checkMovements(deps, environment, period, partner);
      const ofBank = await checkBank(deps, environment, period, partner);
      const ofStatements = partner === undefined || environment === "test" ? [] : await checkStatements(deps, partner, month);
      const ends = [ofCards.endedAt, ofBank.endedAt].flatMap((end) => end ?? []);
      return {
        differences: [...ofCards.differences, ...ofBank.differences, ...ofStatements],
        sums: ofCards.sums.map(({ currency, part, ours, theirs }) => ({
          currency,
          part,
          ours: toMajorUnits(ours, currency),
          theirs: toMajorUnits(theirs, currency),
          difference: toMajorUnits(ours - theirs, currency),
        })),
        checked: ofCards.checked + ofBank.checked,
        ended_at: isoTimeOrNull(ends.length === 0 ? null : Math.max(...ends)),
      };
    },
  }),
  defineCall({
    command: "books rebuild",
    method: "POST",
    path: "/ops/partners/{partner}/orders/rebuild",
    role: "admin",
    summary: "Makes a partner's orders again from its movements, 200 in a call, and says which were not what they should be",
    continues: { left: "next", as: "after", sums: ["checked", "mended"], lists: ["orders"] },
    query: z.object({ after: z.string().max(250).default("").describe("The order to go on after: `next` of the call before") }),
    answer: z.object({
      success: z.boolean(),
      checked: z.int(),
      mended: z.int(),
      orders: z
        .array(z.object({ id: z.string(), fields: z.array(z.string()) }))
        .describe("What differed, by field; `missing` for an order without a row"),
      next: z.string().nullable(),
    }),
    example: "acme",
    async run({ deps, actor }, { params: { partner }, query: { after } }) {
      const own = await ownDeps({ deps, actor, partner: null }, partner);
      const { checked, mended, next } = await rebuildOrders(own, partner, after, actor);
      return { success: true, checked, mended: mended.length, orders: mended.map(({ id, fields }) => ({ id, fields: [...fields] })), next };
    },
  }),
];
