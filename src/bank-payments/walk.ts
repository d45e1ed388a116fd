import { and, asc, desc, eq, gt, gte, inArray, lt } from "drizzle-orm";
import type { Period } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { type Cell, inList } from "../db/client.ts";
import { bankPayments } from "../db/schema/bank.ts";
import type { BankPayment } from "./store.ts";

const { orderId, partnerId } = bankPayments;

/** The orders of a partner's ruble payments after one, in the order of their ids. */
export async function bankPaymentsAfter(db: Cell, partner: string, after: string, limit: number): Promise<string[]> {
  const isNext = and(gt(orderId, after), eq(partnerId, partner));
  return (await db.select({ orderId }).from(bankPayments).where(isNext).orderBy(asc(orderId)).limit(limit).all()).map((row) => row.orderId);
}

/** The ruble payments of an environment that were paid in a period, of a partner or of all, the newest first. */
export async function paidBankPayments(
  db: Cell,
  environment: Environment,
  { from, to }: Period,
  partner: string | undefined,
  limit: number,
) {
  const { orderId: id, status, terminal, bankPaymentId, paidAt } = bankPayments;
  const isPaid = and(eq(bankPayments.environment, environment), gte(paidAt, from), lt(paidAt, to));
  return db
    .select({ orderId: id, status, terminal, bankPaymentId, paidAt })
    .from(bankPayments)
    .where(and(isPaid, partner === undefined ? undefined : eq(partnerId, partner)))
    .orderBy(desc(paidAt))
    .limit(limit)
    .all();
}

/** The ruble payments of a partner among some orders. */
export async function bankPaymentsOf(db: Cell, partner: string, orders: readonly string[]): Promise<BankPayment[]> {
  return db
    .select()
    .from(bankPayments)
    .where(and(inArray(orderId, inList(orders)), eq(partnerId, partner)))
    .all();
}
