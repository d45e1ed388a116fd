import * as z from "zod";
import { toMajorUnits } from "../../core/money.ts";
import { movementStatuses, movementTypes } from "../../core/movements.ts";
import { paymentStates } from "../../core/object-states.ts";
import type { Movement } from "../../ledger/movement.ts";
import { inOrder, type MovementSearch } from "../../ledger/movements/search.ts";
import { totalsOf } from "../../ledger/payment-totals.ts";
import { type RowPage, viewPage } from "./lists.ts";
import { amountField, currencyField, minorOf } from "./money-fields.ts";

const text = z.string().min(1, "must not be empty").max(250).optional();

/** The query fields by which a list of movements is searched. */
export const movementSearch = {
  payment: text.describe("Only movements of this payment: `pi_…`"),
  reference: text.describe("Only movements with this order reference"),
  link: text.describe("Only movements through this link: `plink_…`"),
  subscription: text.describe("Only movements of this subscription: `sub_…`"),
  type: z.enum(movementTypes).optional(),
  status: z.enum(movementStatuses).optional(),
  currency: currencyField.describe("Only movements that were settled in this currency"),
  amount_from: amountField.describe("At least this much, in major units and without a sign; with `currency`"),
  amount_to: amountField.describe("At most this much, in major units and without a sign; with `currency`"),
};

type Sent = z.output<z.ZodObject<typeof movementSearch>>;

/** The search that a query asks for. @throws ServiceFailure `invalid_input` for an amount without a currency. */
export function searchOf({ amount_from, amount_to, ...wanted }: Sent): MovementSearch {
  return {
    ...wanted,
    amountFrom: minorOf("amount_from", amount_from, wanted.currency),
    amountTo: minorOf("amount_to", amount_to, wanted.currency),
  };
}

/** What a payment comes to, in an answer that is asked for one payment. */
export const paymentTotals = {
  totals: z
    .object({
      state: z.enum(paymentStates).describe("Of the payment, with what followed it"),
      is_paid: z.boolean().describe("Whether money has come"),
      movement_id: z.string().describe("The movement of the payment itself: of several attempts, the last one that did not fail"),
      currency: z.string().describe("The settlement currency"),
      refunded: z.number().nullable().describe("What was given back, in major units, not negative"),
      disputed: z.number().nullable().describe("What a dispute took, in major units, not negative"),
      fee: z.number().nullable(),
      net: z.number().nullable().describe("What is left; null as long as it is not paid, or if something is not known yet"),
    })
    .nullable()
    .describe("With `payment` alone, what it comes to; null otherwise"),
};

/** Whether a page begins at the newest row, and no period leaves rows out. */
export const isUncut = (list: { readonly cursor?: unknown; readonly since?: unknown; readonly until?: unknown }) =>
  list.cursor === undefined && list.since === undefined && list.until === undefined;

/** The page of movements, and the totals if it has all movements of one payment. `isFirst`: {@link isUncut}. */
export function viewMovements<Row extends Movement & { readonly at: number }, View>(
  page: RowPage<Row>,
  { wanted, isFirst }: { readonly wanted: Partial<Sent>; readonly isFirst: boolean },
  view: (row: Row) => View,
) {
  const rows = inOrder(page.rows);
  const isWhole = isFirst && Object.keys(wanted).length === 1 && wanted.payment !== undefined && page.next === null;
  const found = isWhole ? totalsOf(rows.toReversed()) : null;
  const major = (minor: number | null) => (minor === null || found === null ? null : toMajorUnits(minor, found.currency));
  const totals = found && {
    state: found.state,
    is_paid: found.state !== "pending" && found.state !== "failed",
    movement_id: found.payment.id,
    currency: found.currency,
    refunded: major(found.refunded),
    disputed: major(found.disputed),
    fee: major(found.fee),
    net: major(found.net),
  };
  return { ...viewPage({ ...page, rows }, view), totals };
}
