import * as z from "zod";
import {
  approvePayout,
  enterPayout,
  findPayout,
  type NotApproved,
  type PayoutRow,
  payoutSelections,
  payoutStates,
  reversePayout,
} from "../../books/payouts.ts";
import { isoTimeOrNull } from "../../core/clock.ts";
import { rejectInput } from "../../core/errors.ts";
import { toMajorUnits } from "../../core/money.ts";
import { dayIn, daysAfter, startOfDay } from "../../core/time-zone.ts";
import type { CellDeps, Deps } from "../../deps.ts";
import { countAdmins } from "../../operators/store.ts";
import { reasonField } from "../calls/call.ts";
import { enteredField, exactMinorOf } from "../calls/money-fields.ts";
import { conflict, notFound } from "../calls/refusal.ts";
import { oneLine } from "../one-line.ts";
import { defineCall } from "../ops/define-call.ts";
import { wire } from "../wire.ts";
import { currencyCode } from "./balance.ts";
import { BY_NUMBER, defineList } from "./list.ts";
import { requireLocation } from "./partner-lookup.ts";
import { ownDeps, zoneOf } from "./rows.ts";

/** An older entry of the books is a mistake of the typed year: each month since its day would be opened. */
export const OLDEST_DAYS = 400;

const payoutView = z.object({
  id: z.string(),
  currency: z.string(),
  amount: z.number().describe("In major units, positive"),
  date: z.string().describe("The day at the bank"),
  bank_reference: z.string(),
  state: z.enum(payoutStates).describe("`waiting` counts for nothing yet; `reversed` was taken back by an opposite entry"),
  recorded_at: z.string().nullable().describe("Since when it is in the balance"),
  reversed_at: z.string().nullable(),
  reason: z.string().nullable().describe("Why it was taken back"),
});

const ofOperators = payoutView.extend({ partner_id: z.string(), entered_by: z.string(), approved_by: z.string().nullable() });

const fieldsOf = wire(ofOperators);

const viewPayout = (row: PayoutRow): z.input<typeof ofOperators> => ({
  ...fieldsOf(row),
  amount: toMajorUnits(row.amount, row.currency),
  recorded_at: isoTimeOrNull(row.approvedAt),
});

/** The payout, with the cell that has it. @throws CallRefusal 404 */
async function requirePayout(deps: Deps, id: string): Promise<{ readonly cell: CellDeps; readonly found: PayoutRow }> {
  return (await deps.findAnywhere(({ db }) => findPayout(db, id))) ?? notFound("There is no such payout. `payouts list` shows all.");
}

/** Why a payout is not approved, and what to do. */
const NOT_APPROVED: Readonly<Record<NotApproved, (found: PayoutRow) => string>> = {
  same: () => "You entered this payout: another operator approves it.",
  unverified: () => "The shared token names no person, and a payout takes two: sign in with Cloudflare Access, and approve it there.",
  entered_unverified: ({ enteredBy }) =>
    `This payout was entered with the shared token, by a name that was not verified (${enteredBy}). Take it back with \`payouts reverse\`, and enter it again after a sign-in.`,
  not_waiting: ({ state }) => `This payout is ${state}: only one that waits is approved.`,
};

const operatorsCalls = [
  defineCall({
    command: "payouts enter",
    method: "POST",
    path: "/ops/partners/{partner}/payouts",
    role: "admin",
    summary: "Enters a payout that was made at the bank. It counts once another operator has approved it",
    body: z.strictObject({
      currency: currencyCode,
      amount: enteredField.positive("must be positive").describe("In major units"),
      date: z.iso.date().describe("The day at the bank"),
      bank_reference: oneLine(100).describe("The bank's reference of the transfer"),
    }),
    positional: ["currency", "amount", "date", "bank_reference"],
    status: 201,
    answer: ofOperators,
    example: "acme USD 1250.50 2026-11-05 BANK-2026-11-05-7",
    async run({ deps, actor }, { params: { partner }, body }) {
      const asker = { deps, actor, partner: null };
      const { db, clock, deliveryQueue } = await ownDeps(asker, partner);
      const { currency, date } = body;
      const amount = exactMinorOf("amount", body.amount, currency);
      const zone = await zoneOf(asker, partner);
      const today = dayIn(clock.now(), zone);
      if (date > today) rejectInput("date: must not be in the future", "date");
      if (date < daysAfter(today, -OLDEST_DAYS)) rejectInput(`date: must not be more than ${OLDEST_DAYS} days ago`, "date");
      const payout = { partnerId: partner, currency, amount, date, paidAt: startOfDay(date, zone), bankReference: body.bank_reference };
      const entered = await enterPayout({ db, clock, deliveryQueue }, payout, actor);
      return viewPayout(
        entered ?? conflict(`A payout in ${currency} with this bank reference was entered before. \`payouts list\` shows it.`),
      );
    },
  }),
  defineCall({
    command: "payouts approve",
    method: "POST",
    path: "/ops/payouts/{id}/approve",
    role: "admin",
    summary: "Approves a payout that another operator entered: it is in balance and statement from now on, and the partner gets an event",
    answer: ofOperators,
    example: "po_0123…",
    async run({ deps, actor }, { params: { id } }) {
      const { cell, found } = await requirePayout(deps, id);
      const { idCode } = await requireLocation(deps, found.partnerId);
      const outcome = await approvePayout(cell, found, { idCode, admins: await countAdmins(deps) }, actor);
      if (outcome !== "approved") conflict(NOT_APPROVED[outcome](found));
      return viewPayout((await requirePayout(deps, id)).found);
    },
  }),
  defineCall({
    command: "payouts reverse",
    method: "POST",
    path: "/ops/payouts/{id}/reverse",
    role: "admin",
    summary: "Takes a wrong payout back by an opposite entry of now; closed statements stay as they are",
    body: z.strictObject({ reason: reasonField }),
    positional: ["reason"],
    answer: ofOperators,
    irreversible: "A payout that was taken back stays so: enter the right one again.",
    example: 'po_0123… "The bank returned it"',
    async run({ deps, actor }, { params: { id }, body }) {
      const { cell, found } = await requirePayout(deps, id);
      if (!(await reversePayout(cell, found, body.reason, actor))) conflict("This payout was taken back before.");
      return viewPayout((await requirePayout(deps, id)).found);
    },
  }),
];

const payoutSearch = { state: z.enum(payoutStates).optional() };

export const payoutList = defineList({
  of: payoutSelections,
  search: payoutSearch,
  usual: "-date",
  about: BY_NUMBER,
  which: "current",
  isLive: true,
  view: payoutView,
  owned: ofOperators,
  filterOf: (_asker, { state }) => ({ state }),
  viewRows: (_asker, rows) => rows.map(({ payout }) => viewPayout(payout)),
  sum: {
    payouts: z.int(),
    amount: z.number(),
    paid_out: z.number().describe("What is in the balance of it: without what waits, or was taken back"),
  },
  viewSum: ({ count, sums: { amount, counted } }, major) => ({
    payouts: count,
    amount: major(amount),
    paid_out: major(counted),
  }),
  partner: {
    command: "payouts list",
    path: "/partner/payouts",
    permission: "balance_view",
    forAgents: {
      tool: "list-partner-payouts",
      hint: "Use it for what was paid out, when and under which bank reference.",
      ofOneEnvironment: "refused",
      without: ["sort"],
    },
    summary: "What was paid out to you, newest first",
  },
  operator: { summary: "Payouts, newest first: of a partner, or of all", example: "--state waiting" },
});

export const payoutCalls = [payoutList.calls, ...operatorsCalls];
