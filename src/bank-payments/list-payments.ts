import { and, eq, or } from "drizzle-orm";
import { newestOfPartner, type OwnList } from "../db/newest-page.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { bankPayments } from "../db/schema/bank.ts";

const { id: paymentId, orderId: id, externalOrderId, status, amountKopecks, createdAt, paidAt, recordId } = bankPayments;

/** Which payments to list; without a field, all. */
export interface BankPaymentFilter {
  /** The bank's status. */
  readonly status?: string | undefined;
  /** The partner's order number, or our order id. */
  readonly order?: string | undefined;
}

/**
 * A partner's payments at the bank, newest first, without their payment URLs. `id` is our order id. A page of a filtered
 * list may be short.
 */
export function listBankPayments(data: PartnerData, list: OwnList, { status: wanted, order }: BankPaymentFilter = {}) {
  const isOwn = and(eq(bankPayments.partnerId, list.partnerId), eq(bankPayments.environment, list.environment));
  const filter = and(
    wanted === undefined ? undefined : eq(status, wanted),
    order === undefined ? undefined : or(eq(externalOrderId, order), eq(id, order)),
  );
  return newestOfPartner(
    data,
    list,
    { isOwn, createdAt, id },
    (db, { where, orderBy, limit, offset }) =>
      db
        .select({ id, paymentId, externalOrderId, status, amountKopecks, createdAt, paidAt, recordId })
        .from(bankPayments)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset)
        .all(),
    filter,
  );
}
