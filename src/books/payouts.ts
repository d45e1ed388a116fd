import { and, count, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../audit/audit-log.ts";
import { type Actor, isVerified } from "../core/actor.ts";
import type { IdCode } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { type Cell, violatedColumn } from "../db/client.ts";
import { isOwnedBy } from "../db/newest-page.ts";
import { payoutStates, payouts } from "../db/schema/books.ts";
import { amountAsShown, defineSelections, isShownAs, type Whose } from "../db/selection.ts";
import { payoutRecorded } from "../webhooks/outbox/events/payout-recorded.ts";
import { type OutboxDeps, recordEvent, runWithOutbox } from "../webhooks/outbox/store.ts";

export { payoutStates };
export type PayoutRow = typeof payouts.$inferSelect;

/** A payout as an operator enters it. Amount in minor units. */
export type NewPayout = Pick<PayoutRow, "partnerId" | "currency" | "amount" | "date" | "paidAt" | "bankReference">;

type PayoutDeps = OutboxDeps & { readonly db: Cell; readonly clock: Clock };

const isPayout = (id: string) => eq(payouts.id, id);

/** How many payouts wait for a second operator, and since when the oldest. By index. */
export const countWaitingPayouts = (db: Cell) =>
  db
    .select({ count: count(), oldest: sql<number | null>`MIN(${payouts.createdAt})` })
    .from(payouts)
    // As the index says it.
    .where(sql`${payouts.state} = 'waiting'`);

/** Enters a payout. It counts once another operator has approved it. Null if its bank reference was entered before, in the currency. */
export async function enterPayout({ db, clock }: PayoutDeps, payout: NewPayout, actor: Actor): Promise<PayoutRow | null> {
  const [id, now] = [newId("po"), clock.now()];
  const nothingYet = { approvedBy: null, approvedAt: null, reversedAt: null, reason: null };
  const row: PayoutRow = { id, ...payout, state: "waiting", enteredBy: actor.name, createdAt: now, ...nothingYet };
  const { currency, amount, date, bankReference } = payout;
  const after = { currency, amount, date, bank_reference: bankReference };
  try {
    await db.batch([
      auditRow(db, { actor, action: "payout.enter", target: id, partnerId: payout.partnerId, after }, now),
      db.insert(payouts).values(row),
    ]);
    return row;
  } catch (thrown) {
    if (violatedColumn(thrown)?.startsWith("payouts.") === true) return null;
    throw thrown;
  }
}

/**
 * How a payout may not be approved. `same`: by the operator who entered it, while others could. `unverified`: with the shared token,
 * or after it was entered with it, while two persons could sign in: a name that anybody can give makes no second person.
 */
export type NotApproved = "same" | "unverified" | "entered_unverified" | "not_waiting";

/** Why an operator may not approve a payout; null: they may. `admins`: how many persons with the role could sign in, those too whose role was just taken. */
export function whyNotApproved({ state, enteredBy }: PayoutRow, approver: string, admins: number): NotApproved | null {
  if (state !== "waiting") return "not_waiting";
  if (admins > 1 && !isVerified(approver)) return "unverified";
  if (admins > 1 && !isVerified(enteredBy)) return "entered_unverified";
  return enteredBy === approver && admins !== 1 ? "same" : null;
}

/**
 * Approves a waiting payout: from now on it is in the balance, and the partner gets one event. Where there is one admin only, that person
 * may approve what they entered, also with the shared token under another name; the audit log says so, and also if the approver was not verified.
 */
export async function approvePayout(
  deps: PayoutDeps,
  row: PayoutRow,
  { idCode, admins }: { readonly idCode: IdCode; readonly admins: number },
  actor: Actor,
): Promise<"approved" | NotApproved> {
  const refusal = whyNotApproved(row, actor.name, admins);
  if (refusal !== null) return refusal;
  const { db, clock } = deps;
  const now = clock.now();
  const isWaiting = sql`EXISTS (SELECT 1 FROM ${payouts} WHERE ${isPayout(row.id)} AND ${payouts.state} = 'waiting')`;
  // A name that anybody can give is no second person.
  const isAlone = row.enteredBy === actor.name || (admins === 1 && isVerified(actor.name) && !isVerified(row.enteredBy));
  const after = {
    state: "recorded",
    ...(isAlone ? { approved_alone: true } : {}),
    ...(isVerified(actor.name) ? {} : { approved_with_token: true }),
  };
  const entry = { actor, action: "payout.approve" as const, target: row.id, partnerId: row.partnerId, after };
  await runWithOutbox(deps, [
    auditRow(db, entry, now, isWaiting),
    recordEvent(db, await payoutRecorded.make(idCode, { ...row, environment: "live" }), now, isWaiting),
    db
      .update(payouts)
      .set({ state: "recorded", approvedBy: actor.name, approvedAt: now })
      .where(and(isPayout(row.id), eq(payouts.state, "waiting"))),
  ]);
  return "approved";
}

/**
 * Takes a payout back. One that waits never counted. One that was recorded stays as it was, with an opposite entry of now: a closed
 * statement that has it is not changed. False if it was taken back before.
 */
export async function reversePayout({ db, clock }: PayoutDeps, row: PayoutRow, reason: string, actor: Actor): Promise<boolean> {
  const now = clock.now();
  const isOpen = sql`EXISTS (SELECT 1 FROM ${payouts} WHERE ${isPayout(row.id)} AND ${payouts.state} <> 'reversed')`;
  const entry = {
    actor,
    action: "payout.reverse" as const,
    target: row.id,
    partnerId: row.partnerId,
    before: { state: row.state },
    after: { reason },
  };
  const [, { meta }] = await db.batch([
    auditRow(db, entry, now, isOpen),
    db
      .update(payouts)
      .set({ state: "reversed", reversedAt: now, reason })
      .where(and(isPayout(row.id), sql`${payouts.state} <> 'reversed'`)),
  ]);
  return meta.changes > 0;
}

/** A payout by its id; undefined if this cell does not have it. One D1 round trip. */
export async function findPayout(db: Cell, id: string): Promise<PayoutRow | undefined> {
  return db.select().from(payouts).where(isPayout(id)).get();
}

/** What names a payout: its id or the bank's reference, or its amount as it is shown, in major units. */
interface PayoutName {
  readonly texts: readonly string[];
  readonly size: number | null;
}

/** A partner's payouts that are named so, the newest first. One D1 round trip. */
export async function findPayoutsNamed(db: Cell, partnerId: string, { texts, size }: PayoutName, limit: number): Promise<PayoutRow[]> {
  const hasAmount = size === null ? undefined : isShownAs(payouts.amount, payouts.currency, size);
  const named = or(inArray(payouts.id, texts), inArray(payouts.bankReference, texts), hasAmount);
  return db
    .select()
    .from(payouts)
    .where(and(eq(payouts.partnerId, partnerId), named))
    .orderBy(desc(payouts.paidAt), desc(payouts.id))
    .limit(limit)
    .all();
}

/** Which payouts a person looks for. */
interface PayoutFilter {
  readonly state?: PayoutRow["state"] | undefined;
}

const isWanted = ({ state }: PayoutFilter): SQL | undefined => (state === undefined ? undefined : eq(payouts.state, state));

/** The list of payouts. `counted`: what of them is in the balance. */
export const payoutSelections = defineSelections({
  table: payouts,
  id: payouts.id,
  createdAt: payouts.paidAt,
  isOwn: (selection: Whose<PayoutFilter>) => isOwnedBy(payouts.partnerId, selection),
  isFiltered: isWanted,
  sorts: { date: sql`${payouts.paidAt}`, amount: amountAsShown(payouts.amount, payouts.currency) },
  columns: { id: payouts.id, payout: payouts },
  environment: sql`'live'`,
  currency: payouts.currency,
  fields: { amount: payouts.amount, counted: sql`CASE WHEN ${payouts.state} = 'recorded' THEN ${payouts.amount} ELSE 0 END` },
  schema: z.object({ amount: z.int(), counted: z.int() }),
});

/** What payouts did to the balance of a partner: each that was approved, and each that was taken back afterwards, as entries. */
export interface PayoutEntry {
  readonly payout: PayoutRow;
  /** Signed, in minor units: negative for a payout. */
  readonly amount: number;
  readonly at: number;
  readonly bookedAt: number;
}

/** The entries of a partner's payouts, oldest first. They are few. One D1 round trip. */
export async function payoutEntries(db: Cell, partnerId: string): Promise<PayoutEntry[]> {
  const isBooked: SQL = sql`${payouts.partnerId} = ${partnerId} AND ${payouts.approvedAt} IS NOT NULL`;
  const rows = await db.select().from(payouts).where(isBooked).orderBy(desc(payouts.paidAt)).all();
  const entries = rows.flatMap((payout) => {
    const { amount, paidAt, approvedAt, reversedAt } = payout;
    const made = { payout, amount: -amount, at: paidAt, bookedAt: approvedAt ?? 0 };
    return reversedAt === null ? [made] : [made, { payout, amount, at: reversedAt, bookedAt: reversedAt }];
  });
  return entries.toSorted((one, other) => one.at - other.at);
}
