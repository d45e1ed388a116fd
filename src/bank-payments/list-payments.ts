import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type Environment, environments } from "../core/environment.ts";
import { isOwnedBy, type OwnList } from "../db/newest-page.ts";
import { bankPayments } from "../db/schema/bank.ts";
import { defineSelections, type Whose } from "../db/selection.ts";
import { isNamed } from "./store.ts";

const { id: paymentId, orderId: id, externalOrderId, status, amountKopecks, createdAt, paidAt, recordId } = bankPayments;

/** Which payments to list; without a field, all. */
export interface BankPaymentFilter {
  /** The bank's status. */
  readonly status?: string | undefined;
  /** The partner's order number, or an id of the order. */
  readonly order?: string | undefined;
  /** A number of a fiscal receipt: of the document, or its sign. */
  readonly receipt?: string | undefined;
  /** Exactly this much was asked for, in kopecks. */
  readonly amount?: number | undefined;
}

const COLUMNS = {
  id,
  paymentId,
  externalOrderId,
  status,
  amountKopecks,
  createdAt,
  paidAt,
  recordId,
  environment: bankPayments.environment,
  partnerId: bankPayments.partnerId,
  holder: bankPayments.holder,
  receipts: bankPayments.receipts,
};

/** SQL condition: the payment is of these partners, and has this number or id, by the index that finds the fewest rows. */
function isOf(owner: OwnList["partnerId"], wanted: readonly Environment[], { order }: BankPaymentFilter): SQL | undefined {
  const { partnerId, environment } = bankPayments;
  if (order === undefined) return and(isOwnedBy(partnerId, { partnerId: owner }), inArray(environment, [...wanted]));
  // A plus keeps SQLite from the index by partner.
  return and(isNamed(order), isOwnedBy(sql`+${partnerId}`, { partnerId: owner }), inArray(sql`+${environment}`, [...wanted]));
}

const isWanted = ({ status: wanted, receipt, amount }: BankPaymentFilter): SQL | undefined =>
  and(
    wanted === undefined ? undefined : eq(status, wanted),
    amount === undefined ? undefined : eq(amountKopecks, amount),
    receipt === undefined
      ? undefined
      : sql`EXISTS (SELECT 1 FROM json_each(${bankPayments.receipts}) WHERE ${receipt} IN (value ->> 'document', value ->> 'sign'))`,
  );

/** The list of payments at the bank, without their payment URLs. `id` is our order id. `amount`: what was asked for, paid or not. */
export const bankPaymentSelections = defineSelections({
  table: bankPayments,
  id,
  createdAt,
  isOwn: ({ partnerId, environment, filter }: Whose<BankPaymentFilter>) =>
    isOf(partnerId, environment === undefined ? environments : [environment], filter),
  isFiltered: isWanted,
  sorts: { created_at: sql`${createdAt}`, amount_rub: sql`${amountKopecks}` },
  columns: COLUMNS,
  environment: bankPayments.environment,
  currency: sql`'RUB'`,
  fields: { amount: amountKopecks, paid: sql`CASE WHEN ${paidAt} IS NULL THEN 0 ELSE ${amountKopecks} END` },
  schema: z.object({ amount: z.int(), paid: z.int() }),
});
