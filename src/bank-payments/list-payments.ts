import { and, eq, inArray } from "drizzle-orm";
import { inList } from "../db/client.ts";
import { isOwnedBy, type ListData, newestOf, type OwnList } from "../db/newest-page.ts";
import { newestFirst } from "../db/partner-data.ts";
import { bankPayments } from "../db/schema/bank.ts";
import { ordersNamed } from "./store.ts";

const { id: paymentId, orderId: id, externalOrderId, status, amountKopecks, createdAt, paidAt, recordId } = bankPayments;

/** Which payments to list; without a field, all. */
export interface BankPaymentFilter {
  /** The bank's status. */
  readonly status?: string | undefined;
  /** The partner's order number, or an id of the order. */
  readonly order?: string | undefined;
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

/**
 * Payments at the bank of a partner, or of several, newest first, without their payment URLs. `id` is our order id. A page of a list by
 * status may be short. Those of one order are one page, by index.
 */
export async function listBankPayments(data: ListData, list: OwnList, { status: wanted, order }: BankPaymentFilter = {}) {
  if (order !== undefined) return { rows: await paymentsOfOrder(data, list, order, wanted), next: null };
  const isOwn = and(isOwnedBy(bankPayments.partnerId, list), eq(bankPayments.environment, list.environment));
  return newestOf(
    data,
    list,
    { isOwn, createdAt, id },
    (db) => db.select(COLUMNS).from(bankPayments).$dynamic(),
    wanted === undefined ? undefined : eq(status, wanted),
  );
}

async function paymentsOfOrder(data: ListData, { partnerId, environment, period }: OwnList, order: string, wanted: string | undefined) {
  const found = await data.each(async ({ db }) => {
    const named = await ordersNamed(db, order, typeof partnerId === "string" ? partnerId : undefined, environment);
    const ids = named.map((one) => one.id);
    return db
      .select(COLUMNS)
      .from(bankPayments)
      .where(inArray(id, inList(ids)))
      .all();
  });
  const rows = [...new Map(found.toReversed().flatMap((all) => all.map((row) => [row.id, { ...row, at: row.createdAt }]))).values()];
  const isIn = ({ at }: { readonly at: number }) => period === undefined || (at >= period.from && at < period.to);
  return rows.filter((row) => isIn(row) && (wanted === undefined || row.status === wanted)).toSorted(newestFirst);
}
