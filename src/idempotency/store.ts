import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { type Database, type Statement, violatedConstraint, writeTogether } from "../db/client.ts";
import { idempotencyRecords } from "../db/schema/idempotency.ts";

export type IdempotencyRecord = typeof idempotencyRecords.$inferSelect;
type NewRecord = Pick<IdempotencyRecord, "id" | "partnerId" | "generation" | "operation" | "key" | "fingerprint" | "plan" | "requestId">;

/** Nothing made and nothing noted yet. */
export const EMPTY_PROGRESS = '{"steps":{},"notes":{}}';

/** Another instance has claimed the record since: whatever this one wanted to write was not written. */
export class OwnershipLost extends Error {
  override readonly name = "OwnershipLost";
}

/**
 * The record of a key, made and claimed by `owner` if there was none (`fresh`), otherwise as it stands. One round
 * trip, so a first request costs no more than a repeated one.
 */
export async function openRecord(db: Database, wanted: NewRecord, owner: string, now: number) {
  const [inserted, rows] = await db.batch([
    db
      .insert(idempotencyRecords)
      .values({
        ...wanted,
        state: "running",
        progress: EMPTY_PROGRESS,
        attempt: 1,
        attemptStartedAt: now,
        owner,
        epoch: 1,
        resumable: false,
        createdAt: now,
        begunAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: idempotencyRecords.id }),
    db.select().from(idempotencyRecords).where(eq(idempotencyRecords.id, wanted.id)),
  ]);
  const record = rows[0];
  if (record === undefined) throw new Error("an idempotency record vanished while it was opened");
  return { record, fresh: inserted.length > 0 };
}

/** The record as it stands. */
export async function readRecord(db: Database, id: string): Promise<IdempotencyRecord | undefined> {
  return db.select().from(idempotencyRecords).where(eq(idempotencyRecords.id, id)).get();
}

/**
 * Claims a record as it was read, and no other: where anybody has claimed it since, this throws {@link OwnershipLost}.
 * `changes` is nothing for a run that is resumed, the new plan and attempt for one that starts over. What was to be
 * cleaned up is gone on from.
 */
export async function claimRecord(
  db: Database,
  seen: IdempotencyRecord,
  owner: string,
  now: number,
  changes: Pick<IdempotencyRecord, "requestId"> &
    Partial<Omit<IdempotencyRecord, "id" | "partnerId" | "generation" | "operation" | "key" | "fingerprint" | "owner" | "epoch" | "state">>,
): Promise<IdempotencyRecord> {
  const claimed = await db
    .update(idempotencyRecords)
    .set({ ...changes, state: "running", cleanUpAt: null, owner, epoch: seen.epoch + 1, updatedAt: now })
    .where(and(eq(idempotencyRecords.id, seen.id), eq(idempotencyRecords.epoch, seen.epoch)))
    .returning()
    .get();
  if (claimed === undefined) throw new OwnershipLost();
  return claimed;
}

/**
 * Moves the record on and writes `statements` with it, all or nothing. The fence is in the database: for anyone but
 * the present owner of a running record `epoch` becomes NULL, which the column refuses, and the batch is rolled back.
 * Every move makes `epoch` one more, so that a record is never claimed by somebody who saw it before the move.
 * @returns the new epoch. @throws OwnershipLost where the fence held.
 */
export async function advanceRecord(
  db: Database,
  held: Pick<IdempotencyRecord, "id" | "owner" | "epoch">,
  now: number,
  changes: Partial<Omit<IdempotencyRecord, "id" | "owner" | "epoch">>,
  statements: readonly Statement[],
): Promise<number> {
  const { owner, epoch, state } = idempotencyRecords;
  const move = db
    .update(idempotencyRecords)
    .set({
      ...changes,
      updatedAt: now,
      epoch: sql`CASE WHEN ${owner} = ${held.owner} AND ${epoch} = ${held.epoch} AND ${state} = 'running' THEN ${epoch} + 1 END`,
    })
    .where(eq(idempotencyRecords.id, held.id));
  try {
    await writeTogether(db, [move, ...statements]);
    return held.epoch + 1;
  } catch (thrown) {
    if (violatedConstraint(thrown) === "idempotency_records.epoch") throw new OwnershipLost();
    throw thrown;
  }
}

/**
 * Claims a failed record for a clean-up: from now on nobody goes on from what it has made. `retryAt` is when the
 * clean-up is due again, should this one not come to its end. Undefined where somebody has moved the record since.
 */
export async function claimForCleanUp(db: Database, seen: IdempotencyRecord, retryAt: number): Promise<IdempotencyRecord | undefined> {
  return db
    .update(idempotencyRecords)
    .set({ resumable: false, cleanUpAt: retryAt, epoch: seen.epoch + 1 })
    .where(and(eq(idempotencyRecords.id, seen.id), eq(idempotencyRecords.epoch, seen.epoch)))
    .returning()
    .get();
}

/** All that a failed record had left is taken back. False where somebody has moved the record since it was claimed. */
export async function markCleanedUp(db: Database, claimed: IdempotencyRecord): Promise<boolean> {
  const marked = await db
    .update(idempotencyRecords)
    .set({ cleanUpAt: null, progress: EMPTY_PROGRESS, epoch: claimed.epoch + 1 })
    .where(and(eq(idempotencyRecords.id, claimed.id), eq(idempotencyRecords.epoch, claimed.epoch)))
    .returning({ id: idempotencyRecords.id });
  return marked.length > 0;
}

/** Failed records whose clean-up is due, the longest due first. */
export async function recordsToCleanUp(db: Database, now: number, limit: number) {
  return db
    .select({ id: idempotencyRecords.id, operation: idempotencyRecords.operation })
    .from(idempotencyRecords)
    .where(and(sql`${idempotencyRecords.cleanUpAt} IS NOT NULL`, lt(idempotencyRecords.cleanUpAt, now)))
    .orderBy(idempotencyRecords.cleanUpAt)
    .limit(limit)
    .all();
}

/**
 * Records of these operations that were left unfinished for longer than `grace`, the longest untouched first: their
 * callers never came back for them. One that was tried in vain is left in peace for half its age, `longestWait` at most.
 */
export async function unfinishedRecords(
  db: Database,
  operations: readonly string[],
  {
    now,
    grace,
    longestWait,
    limit,
  }: { readonly now: number; readonly grace: number; readonly longestWait: number; readonly limit: number },
): Promise<IdempotencyRecord[]> {
  const { state, generation, updatedAt, begunAt, operation } = idempotencyRecords;
  return db
    .select()
    .from(idempotencyRecords)
    .where(
      and(
        // Written out as in the index, which is a partial one.
        sql`${state} IN ('running', 'awaiting_short_link')`,
        // In the first generation a missing short link waits for a person.
        sql`(${state} = 'running' OR ${generation} = 'v2')`,
        lt(updatedAt, now - grace),
        sql`${now} - ${updatedAt} > MIN(${longestWait}, (${updatedAt} - ${begunAt}) / 2)`,
        inArray(operation, [...operations]),
      ),
    )
    .orderBy(updatedAt)
    .limit(limit)
    .all();
}
