import * as z from "zod";
import { movementKinds, movementStatuses, movementTypes } from "../../core/movements.ts";
import type { MovementSearch } from "../../ledger/movements/search.ts";
import { searchText } from "./lists.ts";
import { amountField, currencyField, minorOf } from "./money-fields.ts";

/** The query fields by which a list of movements is searched. */
export const movementSearch = {
  payment: searchText.describe("Only movements of this payment: `pi_…`"),
  reference: searchText.describe("Only movements with this order reference"),
  link: searchText.describe("Only movements through this link: `plink_…`"),
  subscription: searchText.describe("Only movements of this subscription: `sub_…`"),
  type: z.enum(movementTypes).optional(),
  kind: z.enum(movementKinds).optional().describe("Only what reports count so: one that failed, or came back, as the one that it reverses"),
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
