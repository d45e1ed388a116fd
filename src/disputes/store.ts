import { and, asc, count, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { awaitedStatuses } from "../core/object-states.ts";
import type { Cell, Database, Statement } from "../db/client.ts";
import { disputes } from "../db/schema/disputes.ts";
import { excluded, firstNonNull, isIncomingNewer, maxOf, newest } from "../db/upsert.ts";
import type { DisputeFacts } from "../processor/facts.ts";

export type DisputeRow = typeof disputes.$inferSelect;

interface SeenDispute {
  readonly facts: DisputeFacts;
  readonly partnerId: string;
  readonly environment: Environment;
  readonly paymentIntentId: string | null;
  readonly clientReferenceId: string | null;
  /** The time of the processor's answer, in Unix milliseconds. */
  readonly asOf: number;
}

/** Stores a dispute as the processor showed it at `asOf`, unless a later look is stored. Another deadline has its own notices. */
export function upsertDispute(db: Database, { facts, asOf, ...known }: SeenDispute): Statement {
  const { id, amount, currency, reason, status, evidenceDueBy, created } = facts;
  const { updatedAt } = disputes;
  const isOtherDeadline = sql`${isIncomingNewer(updatedAt)} AND ${excluded(disputes.evidenceDueBy)} IS NOT ${disputes.evidenceDueBy}`;
  return db
    .insert(disputes)
    .values({ ...known, id, amount, currency, reason, status, evidenceDueBy, createdAt: created, updatedAt: asOf })
    .onConflictDoUpdate({
      target: disputes.id,
      set: {
        amount: newest(disputes.amount, updatedAt),
        reason: newest(disputes.reason, updatedAt),
        status: newest(disputes.status, updatedAt),
        evidenceDueBy: newest(disputes.evidenceDueBy, updatedAt),
        noticedDays: sql`CASE WHEN ${isOtherDeadline} THEN NULL ELSE ${disputes.noticedDays} END`,
        paymentIntentId: firstNonNull(disputes.paymentIntentId),
        clientReferenceId: firstNonNull(disputes.clientReferenceId),
        updatedAt: maxOf(updatedAt),
      },
    });
}

/** SQL condition, in the text of the partial index: evidence can still be given. */
const isAwaited = sql.raw(`status IN (${awaitedStatuses.map((status) => `'${status}'`).join(", ")})`);

/** How many days before a deadline there is a notice, the last one first. */
export const noticeStages = [2, 10] as const;

/** How many live disputes can still be answered, and since when the oldest waits for evidence. By index. */
export const countAwaited = (db: Cell, now: number) =>
  db
    .select({ count: count(), oldest: sql<number | null>`MIN(${disputes.createdAt})` })
    .from(disputes)
    .where(and(isAwaited, gt(disputes.evidenceDueBy, now), eq(disputes.environment, "live")));

/** SQL condition: the notice that many days before the deadline was not recorded yet. */
const isUnnoticed = (days: number): SQL => sql`COALESCE(${disputes.noticedDays}, 1000) > ${days}`;

/**
 * The disputes whose deadline is behind a time and an id, and not after another time (Unix milliseconds), without a notice of so many
 * days, by their deadlines. By index.
 */
export function unnoticedDisputes(
  db: Cell,
  { after, to }: { readonly after: { readonly deadline: number; readonly id: string }; readonly to: number },
  days: number,
  limit: number,
) {
  const { evidenceDueBy, id } = disputes;
  // The first page has no id, and a deadline of this moment is over.
  const isBehind = after.id === "" ? gt(evidenceDueBy, after.deadline) : sql`(${evidenceDueBy}, ${id}) > (${after.deadline}, ${after.id})`;
  return db
    .select()
    .from(disputes)
    .where(and(isAwaited, isBehind, lte(evidenceDueBy, to), isUnnoticed(days)))
    .orderBy(asc(evidenceDueBy), asc(id))
    .limit(limit)
    .all();
}

/** SQL condition: the dispute waits for evidence until this deadline, and has no notice of so many days. */
export const isNoticeDue = (id: string, deadline: number, days: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${disputes} WHERE ${disputes.id} = ${id} AND ${isAwaited} AND ${disputes.evidenceDueBy} = ${deadline} AND ${isUnnoticed(days)})`;

export function noteNotice(db: Cell, id: string, deadline: number, days: number): Statement {
  return db
    .update(disputes)
    .set({ noticedDays: days })
    .where(and(eq(disputes.id, id), eq(disputes.evidenceDueBy, deadline), isUnnoticed(days)));
}

/** The disputes of a payment, oldest first. By index. */
export function disputesOfPayment(db: Cell, paymentIntentId: string) {
  return db.select().from(disputes).where(eq(disputes.paymentIntentId, paymentIntentId)).orderBy(disputes.createdAt, disputes.id).all();
}
