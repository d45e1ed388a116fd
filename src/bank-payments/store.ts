import { and, count, desc, eq, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { type Database, listed, type Statement } from "../db/client.ts";
import { bankNotifications, bankPaymentItems, bankPayments } from "../db/schema/bank.ts";

export type BankPayment = typeof bankPayments.$inferSelect;
export type NewBankPayment = typeof bankPayments.$inferInsert;
type Line = Omit<typeof bankPaymentItems.$inferSelect, "bankPaymentId" | "position">;

/** The row of a payment, to be written with whatever opened it. */
export function insertBankPayment(db: Database, row: NewBankPayment): Statement {
  return db.insert(bankPayments).values(row);
}

/** The same for one that was taken back; nothing where it is known already. */
export function insertAbandonedPayment(db: Database, row: NewBankPayment): Statement {
  return db.insert(bankPayments).values(row).onConflictDoNothing();
}

/** A payment's lines, however many, in one statement. */
export function insertBankPaymentItems(db: Database, bankPaymentId: number, lines: readonly Line[]): Statement {
  const fields = sql.raw(
    ["productId", "productName", "unitAmount", "quantity", "amount", "vat"].map((name) => `value ->> '${name}'`).join(),
  );
  return db
    .insert(bankPaymentItems)
    .select(sql`SELECT ${bankPaymentId}, key, ${fields} FROM json_each(${JSON.stringify(lines)}) WHERE TRUE`);
}

export function setFastPaymentLink(db: Database, id: number, sbpUrl: string | null): Statement {
  return db.update(bankPayments).set({ sbpUrl }).where(eq(bankPayments.id, id));
}

/** The payment of an order's id, which the bank knows it by. */
export async function findByOrder(db: Database, orderId: string): Promise<BankPayment | undefined> {
  return paymentsOfOrder(db, orderId).get();
}

/** The bank took the money for an order by this payment, and not by the one that was opened. */
export function setBankPaymentId(db: Database, id: number, bankPaymentId: string): Statement {
  return db.update(bankPayments).set({ bankPaymentId }).where(eq(bankPayments.id, id));
}

/** What a status changes in a payment's row. */
export interface StatusChange {
  readonly status: string;
  /** The statuses that give way to it; in any other the row keeps its own. */
  readonly over: readonly string[];
  readonly paid: boolean;
  /** When the bank is to be asked again, in Unix milliseconds; null: no more; undefined: as before. */
  readonly lookAt: number | null | undefined;
}

/** Writes a status, unless the payment has got further by now. A payment is paid once: the first moment stands. */
export function updateStatus(db: Database, id: number, change: StatusChange, now: number): Statement {
  const givesWay = inArray(bankPayments.status, listed(change.over));
  const ifItDoes = (value: SQL | string | number | null, otherwise: SQL | typeof bankPayments.lookAt | typeof bankPayments.status) =>
    sql`CASE WHEN ${givesWay} THEN ${value} ELSE ${otherwise} END`;
  return db
    .update(bankPayments)
    .set({
      status: ifItDoes(change.status, bankPayments.status),
      ...(change.lookAt === undefined ? {} : { lookAt: ifItDoes(change.lookAt, bankPayments.lookAt) }),
      ...(change.paid ? { paidAt: sql`COALESCE(${bankPayments.paidAt}, ${now})` } : {}),
      updatedAt: now,
    })
    .where(eq(bankPayments.id, id));
}

/** Keeps a notification, once however often it comes; what came of it is what came of it last. */
export function upsertNotification(db: Database, row: typeof bankNotifications.$inferInsert): Statement {
  return db
    .insert(bankNotifications)
    .values(row)
    .onConflictDoUpdate({ target: bankNotifications.id, set: { problem: row.problem ?? null } });
}

/** How long a payment that was looked at is left alone, and at what age it is for good. In milliseconds. */
export interface LookWaits {
  readonly shortest: number;
  readonly longest: number;
  readonly forGood: number;
}

/**
 * The payments whose turn it is to be looked at, the longest due first, their next turn put down: half their age from
 * now, within the bounds. One that nobody then manages to look at has its turn again, until it is too old.
 */
export async function claimDueLooks(
  db: Database,
  now: number,
  limit: number,
  { shortest, longest, forGood }: LookWaits,
): Promise<BankPayment[]> {
  const { id, createdAt, lookAt } = bankPayments;
  const due = db
    .select({ id })
    .from(bankPayments)
    // Written out as in the index, which is a partial one.
    .where(and(sql`${lookAt} IS NOT NULL`, lte(lookAt, now)))
    .orderBy(lookAt)
    .limit(limit);
  return db
    .update(bankPayments)
    .set({
      lookAt: sql`CASE WHEN ${now} - ${createdAt} <= ${forGood} THEN ${now} + MIN(MAX((${now} - ${createdAt}) / 2, ${shortest}), ${longest}) END`,
    })
    .where(inArray(id, due))
    .returning();
}

// Written out, not bound: only then does SQLite see that the partial index serves.
const PROBLEM = sql`${bankNotifications.problem} IS NOT NULL`;

export function countProblems(db: Database) {
  return db.select({ count: count() }).from(bankNotifications).where(PROBLEM);
}

/** Notifications that changed nothing though they should have, newest first. */
export function newestProblems(db: Database, limit: number) {
  return db.select().from(bankNotifications).where(PROBLEM).orderBy(desc(bankNotifications.receivedAt)).limit(limit);
}

/** Holds as long as a notification waits for a person. */
export function hasProblem(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${bankNotifications} WHERE ${bankNotifications.id} = ${id} AND ${bankNotifications.problem} IS NOT NULL)`;
}

/** Nobody has to look into a notification any more. */
export function clearProblem(db: Database, id: string) {
  return db
    .update(bankNotifications)
    .set({ problem: null })
    .where(and(eq(bankNotifications.id, id), isNotNull(bankNotifications.problem)))
    .returning({ id: bankNotifications.id });
}

/** What the bank told of an order, oldest first; to be sent together with other questions. */
export function notificationsOfOrder(db: Database, orderId: string, limit: number) {
  return db
    .select()
    .from(bankNotifications)
    .where(eq(bankNotifications.orderId, orderId))
    .orderBy(bankNotifications.receivedAt)
    .limit(limit);
}

/** A payment by its order's id, as a row or none; to be sent together with other questions. */
export function paymentsOfOrder(db: Database, orderId: string) {
  return db.select().from(bankPayments).where(eq(bankPayments.orderId, orderId));
}
