import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import type { Period } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { type Cell, inList } from "../db/client.ts";
import { bankMovements, bankPayments } from "../db/schema/bank.ts";
import type { BankPayment } from "./store.ts";

const { orderId, partnerId } = bankPayments;

/** The orders of a partner's ruble payments after one, in the order of their ids. */
export async function bankPaymentsAfter(db: Cell, partner: string, after: string, limit: number): Promise<string[]> {
  const isNext = and(gt(orderId, after), eq(partnerId, partner));
  return (await db.select({ orderId }).from(bankPayments).where(isNext).orderBy(asc(orderId)).limit(limit).all()).map((row) => row.orderId);
}

const paidSchema = z.array(
  z.object({
    orderId: z.string(),
    status: z.string(),
    terminal: z.string(),
    bankPaymentId: z.string(),
    paidAt: z.int(),
    refunded: z.int(),
    receipts: z.string().nullable(),
  }),
);

/**
 * The ruble payments of an environment that were paid in a period, of a partner or of all, the newest first. The index of a partner's
 * paid ones finds them, partner by partner.
 */
export async function paidBankPayments(
  db: Cell,
  environment: Environment,
  { from, to }: Period,
  partner: string | undefined,
  limit: number,
): Promise<z.infer<typeof paidSchema>> {
  const isPaid = sql`paid_at IS NOT NULL`;
  const owners =
    partner === undefined
      ? sql`SELECT MIN(partner_id) FROM ${bankPayments} WHERE ${isPaid}
        UNION ALL SELECT (SELECT MIN(partner_id) FROM ${bankPayments} WHERE partner_id > owner.id AND ${isPaid}) FROM owner WHERE owner.id IS NOT NULL`
      : sql`SELECT ${partner}`;
  const rows = await db.all(sql`WITH RECURSIVE owner (id) AS (${owners})
    SELECT p.order_id AS orderId, p.status AS status, p.terminal AS terminal, p.bank_payment_id AS bankPaymentId, p.paid_at AS paidAt,
      p.receipts AS receipts, (SELECT -COALESCE(SUM(amount), 0) FROM ${bankMovements} WHERE order_id = p.order_id AND type = 'bank_refund') AS refunded
    FROM owner CROSS JOIN ${bankPayments} AS p ON p.partner_id = owner.id AND p.paid_at >= ${from} AND p.paid_at < ${to}
    WHERE p.environment = ${environment} ORDER BY p.paid_at DESC LIMIT ${limit}`);
  return paidSchema.parse(rows);
}

/** The ruble payments of a partner among some orders. */
export async function bankPaymentsOf(db: Cell, partner: string, orders: readonly string[]): Promise<BankPayment[]> {
  return db
    .select()
    .from(bankPayments)
    .where(and(inArray(orderId, inList(orders)), eq(partnerId, partner)))
    .all();
}
