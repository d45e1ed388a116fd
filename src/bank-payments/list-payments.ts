import { and, eq } from "drizzle-orm";
import { newestOfPartner, type OwnList } from "../db/newest-page.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { bankPayments } from "../db/schema/bank.ts";

const { id: paymentId, orderId: id, externalOrderId, status, amountKopecks, createdAt, paidAt } = bankPayments;

/** A partner's payments at the bank, newest first, without their payment URLs. `id` is our order id. */
export function listBankPayments(data: PartnerData, list: OwnList) {
  const isOwn = and(eq(bankPayments.partnerId, list.partnerId), eq(bankPayments.environment, list.environment));
  return newestOfPartner(data, list, { isOwn, createdAt, id }, (db, { where, orderBy, limit }) =>
    db
      .select({ id, paymentId, externalOrderId, status, amountKopecks, createdAt, paidAt })
      .from(bankPayments)
      .where(where)
      .orderBy(...orderBy)
      .limit(limit)
      .all(),
  );
}
