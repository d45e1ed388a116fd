import { and, count, desc, eq, inArray, isNotNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Cell, type Database, inList, type Statement } from "../db/client.ts";
import { isOlderThan, type PageKey } from "../db/page-key.ts";
import { insertOnce, prepareOnce } from "../db/prepared.ts";
import { bankNotifications, bankPayments } from "../db/schema/bank.ts";

export type BankPayment = typeof bankPayments.$inferSelect;
export type NewBankPayment = typeof bankPayments.$inferInsert;

/** Inserts a payment's row. Run it in the same transaction as the step that opened the payment. */
export function insertBankPayment(db: Cell, row: NewBankPayment): D1PreparedStatement {
  return insertOnce(db, bankPayments, row);
}

/** Inserts the row of a payment that is to be cancelled. Does nothing if the row already exists. */
export function insertPaymentToCancel(db: Cell, row: NewBankPayment): Statement {
  return db.insert(bankPayments).values(row).onConflictDoNothing();
}

export function setFastPaymentLink(db: Cell, id: number, sbpUrl: string | null): D1PreparedStatement {
  const build = () => db.update(bankPayments).set({ sbpUrl }).where(eq(bankPayments.id, id));
  return prepareOnce(db, "set fast payment link", build, [sbpUrl, id]);
}

/** Stores the fast-payment link that the bank gave late. Returns the stored link: that of another repeat if it came first. */
export async function storeLateLink(db: Cell, id: number, sbpUrl: string): Promise<string | null> {
  const set = { sbpUrl: sql`COALESCE(${bankPayments.sbpUrl}, ${sbpUrl})` };
  const stored = await db.update(bankPayments).set(set).where(eq(bankPayments.id, id)).returning({ sbpUrl: bankPayments.sbpUrl }).get();
  return stored?.sbpUrl ?? null;
}

/** Finds a payment by its order id, which the bank also uses. */
export async function findByOrder(db: Cell, orderId: string): Promise<BankPayment | undefined> {
  return db.select().from(bankPayments).where(eq(bankPayments.orderId, orderId)).get();
}

/** Replaces the bank's payment id: the bank took the order's money through another payment than the one we opened. */
export function setBankPaymentId(db: Cell, id: number, bankPaymentId: string): Statement {
  return db.update(bankPayments).set({ bankPaymentId }).where(eq(bankPayments.id, id));
}

/** The changes of a payment's row for a new status. */
export interface StatusChange {
  readonly status: string;
  /** The statuses that may be overwritten. A row with any other status stays unchanged. */
  readonly over: readonly string[];
  readonly paid: boolean;
  /** The time of the next poll, in Unix milliseconds; null: no more polls; undefined: unchanged. */
  readonly nextPollAt: number | null | undefined;
}

/** Writes a status, unless the payment is already at a later stage. `paidAt` keeps its first value. */
export function updateStatus(db: Cell, id: number, change: StatusChange, now: number): Statement {
  const canOverwrite = inArray(bankPayments.status, inList(change.over));
  const ifOverwritable = (
    value: SQL | string | number | null,
    otherwise: SQL | typeof bankPayments.nextPollAt | typeof bankPayments.status,
  ) => sql`CASE WHEN ${canOverwrite} THEN ${value} ELSE ${otherwise} END`;
  return db
    .update(bankPayments)
    .set({
      status: ifOverwritable(change.status, bankPayments.status),
      ...(change.nextPollAt === undefined ? {} : { nextPollAt: ifOverwritable(change.nextPollAt, bankPayments.nextPollAt) }),
      ...(change.paid ? { paidAt: sql`COALESCE(${bankPayments.paidAt}, ${now})` } : {}),
      updatedAt: now,
    })
    .where(eq(bankPayments.id, id));
}

/** True until the payment is stored as paid. */
export function isNotPaid(id: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${bankPayments} WHERE ${bankPayments.id} = ${id} AND ${bankPayments.paidAt} IS NOT NULL)`;
}

/**
 * Stores a notification once, even if it is redelivered. `problem` comes from the last delivery. `isPart`: it tells of a part that the bank
 * gave back. Two equal parts look like one report that came twice, so a person decides which it was. Anything else that comes again says
 * nothing new.
 */
export function upsertNotification(db: Database, row: typeof bankNotifications.$inferInsert, isPart: boolean): Statement {
  return db
    .insert(bankNotifications)
    .values(row)
    .onConflictDoUpdate({ target: bankNotifications.id, set: { problem: row.problem ?? (isPart ? IF_REPEATED : null) } });
}

const REPEATED = "refund_repeated";
/** SQL for the problem of a message that was applied before, or had this problem already. */
const IF_REPEATED = sql`CASE WHEN COALESCE(${bankNotifications.problem}, ${REPEATED}) = ${REPEATED} THEN ${REPEATED} END`;

/** Inserts a notification that must be new. */
export function insertNotification(db: Cell, row: typeof bankNotifications.$inferInsert): Statement {
  return db.insert(bankNotifications).values(row);
}

export async function hasNotification(db: Cell, id: string): Promise<boolean> {
  const { id: own } = bankNotifications;
  return (await db.select({ id: own }).from(bankNotifications).where(eq(own, id)).get()) !== undefined;
}

/** The limits of the delay between two polls, and the age at which polling stops (`stopAfterAge`). In milliseconds. */
export interface PollDelays {
  readonly shortest: number;
  readonly longest: number;
  readonly stopAfterAge: number;
}

/**
 * Claims the payments that are due for a poll, longest due first, and schedules their next poll: after half their age,
 * within the limits. A payment is polled again at that time even if this poll fails, until it is too old.
 */
export async function claimDuePolls(
  db: Cell,
  now: number,
  limit: number,
  { shortest, longest, stopAfterAge }: PollDelays,
): Promise<BankPayment[]> {
  const { id, createdAt, nextPollAt } = bankPayments;
  const due = db
    .select({ id })
    .from(bankPayments)
    // The same condition as in the partial index, so that SQLite uses the index.
    .where(and(sql`${nextPollAt} IS NOT NULL`, lte(nextPollAt, now)))
    .orderBy(nextPollAt)
    .limit(limit);
  return db
    .update(bankPayments)
    .set({
      nextPollAt: sql`CASE WHEN ${now} - ${createdAt} <= ${stopAfterAge} THEN ${now} + MIN(MAX((${now} - ${createdAt}) / 2, ${shortest}), ${longest}) END`,
    })
    .where(inArray(id, due))
    .returning();
}

// Inlined, not a bound parameter: only then does SQLite use the partial index.
const PROBLEM = sql`${bankNotifications.problem} IS NOT NULL`;

export function countProblems(db: Database) {
  return db
    .select({ count: count(), oldest: sql<number | null>`MIN(${bankNotifications.receivedAt})` })
    .from(bankNotifications)
    .where(PROBLEM);
}

/** Notifications that could not be applied, newest first, after a given one. */
export function newestProblems(db: Database, before: PageKey | undefined, limit: number) {
  const { receivedAt, id } = bankNotifications;
  const isEarlier = isOlderThan(receivedAt, id, before);
  return db.select().from(bankNotifications).where(and(PROBLEM, isEarlier)).orderBy(desc(receivedAt), desc(id)).limit(limit);
}

/** True while a notification waits for an operator. */
export function hasProblem(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${bankNotifications} WHERE ${bankNotifications.id} = ${id} AND ${bankNotifications.problem} IS NOT NULL)`;
}

/** SQL for the partner that owns a notification's order; NULL if no payment has this order id. */
export function partnerOfNotification(id: string): SQL {
  return sql`(SELECT p.partner_id FROM bank_notifications AS n JOIN bank_payments AS p ON p.order_id = n.order_id WHERE n.id = ${id})`;
}

/** Marks a notification as needing no more review. */
export function clearProblem(db: Database, id: string) {
  return db
    .update(bankNotifications)
    .set({ problem: null })
    .where(and(eq(bankNotifications.id, id), isNotNull(bankNotifications.problem)))
    .returning({ id: bankNotifications.id });
}

/** Selects an order's bank notifications, oldest first. For use in a batch with other queries. */
export function notificationsOfOrder(db: Database, orderId: string, limit: number) {
  return db
    .select()
    .from(bankNotifications)
    .where(eq(bankNotifications.orderId, orderId))
    .orderBy(bankNotifications.receivedAt)
    .limit(limit);
}

/** SQL condition: the order has this id of ours, of the bank's, the partner's order number or the public id. By indexes. */
export function isNamed(text: string): SQL | undefined {
  const { orderId, bankPaymentId, externalOrderId, id } = bankPayments;
  const byText = or(eq(orderId, text), eq(bankPaymentId, text), eq(externalOrderId, text));
  return /^\d{15}$/.test(text) ? or(byText, eq(id, Number(text))) : byText;
}

/** Orders by any id or number of theirs; of one partner, if it is given. */
export async function ordersNamed(db: Cell, text: string, owner?: string, only?: Environment) {
  const { orderId, partnerId, environment } = bankPayments;
  return (
    db
      .select({ id: orderId, partnerId, environment })
      .from(bankPayments)
      // The plus keeps SQLite from using the index by partner.
      .where(
        and(
          isNamed(text),
          owner === undefined ? undefined : sql`+${partnerId} = ${owner}`,
          only === undefined ? undefined : sql`+${environment} = ${only}`,
        ),
      )
      .limit(20)
      .all()
  );
}

/** The due time of the payment that has waited longest for a poll. */
export function longestDuePoll(db: Cell, now: number) {
  return db
    .select({ since: sql<number | null>`MIN(${bankPayments.nextPollAt})` })
    .from(bankPayments)
    .where(isPollDue(now));
}

/** The payments of {@link longestDuePoll}, the longest due first. */
export function duePolls(db: Cell, now: number, limit: number) {
  const { orderId, partnerId, environment, status, nextPollAt } = bankPayments;
  return db
    .select({ id: orderId, partnerId, environment, what: status, since: sql<number>`${nextPollAt}` })
    .from(bankPayments)
    .where(isPollDue(now))
    .orderBy(nextPollAt)
    .limit(limit);
}

const isPollDue = (now: number) => and(sql`${bankPayments.nextPollAt} IS NOT NULL`, lte(bankPayments.nextPollAt, now));
