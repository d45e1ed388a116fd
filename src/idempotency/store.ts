import { and, eq, gt, inArray, lt, sql } from "drizzle-orm";
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

/** What a failed record had left is taken back: there is nothing to go on from. Not where it was claimed meanwhile. */
export async function markCleanedUp(db: Database, seen: IdempotencyRecord): Promise<void> {
  await db
    .update(idempotencyRecords)
    .set({ cleanUpAt: null, resumable: false, progress: EMPTY_PROGRESS })
    .where(and(eq(idempotencyRecords.id, seen.id), eq(idempotencyRecords.epoch, seen.epoch)));
}

/** Puts a clean-up that failed off until `at`. */
export async function postponeCleanUp(db: Database, seen: IdempotencyRecord, at: number): Promise<void> {
  await db
    .update(idempotencyRecords)
    .set({ cleanUpAt: at })
    .where(and(eq(idempotencyRecords.id, seen.id), eq(idempotencyRecords.epoch, seen.epoch)));
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
 * Records of these operations that were left unfinished before `before`, and belong to requests made after
 * `createdAfter`, the longest untouched first: their callers never came back for them.
 */
export async function unfinishedRecords(
  db: Database,
  operations: readonly string[],
  { before, createdAfter, limit }: { readonly before: number; readonly createdAfter: number; readonly limit: number },
): Promise<IdempotencyRecord[]> {
  return db
    .select()
    .from(idempotencyRecords)
    .where(
      and(
        // Written out as in the index, which is a partial one.
        sql`${idempotencyRecords.state} IN ('running', 'awaiting_short_link')`,
        // In the first generation a missing short link waits for a person.
        sql`(${idempotencyRecords.state} = 'running' OR ${idempotencyRecords.generation} = 'v2')`,
        lt(idempotencyRecords.updatedAt, before),
        inArray(idempotencyRecords.operation, [...operations]),
        gt(idempotencyRecords.createdAt, createdAfter),
      ),
    )
    .orderBy(idempotencyRecords.updatedAt)
    .limit(limit)
    .all();
}
