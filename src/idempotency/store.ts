import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { isPartnerMovedError } from "../core/partner-moved.ts";
import { type Cell, violatedColumn } from "../db/client.ts";
import { prepareOnce, readerOf, type StoredRow, storedValues, type Value, type Write, writeAll } from "../db/prepared.ts";
import { idempotencyRecords } from "../db/schema/idempotency.ts";
import { countRecord, hasRecordsLeft, isCounted, recordsLeftParameters } from "./daily-records.ts";

export type IdempotencyRecord = typeof idempotencyRecords.$inferSelect;
type NewRecord = Pick<IdempotencyRecord, "id" | "partnerId" | "generation" | "operation" | "key" | "fingerprint" | "plan" | "requestId"> & {
  readonly holder: string;
};

/** The progress of a run without steps and notes. */
export const EMPTY_PROGRESS = '{"steps":{},"notes":{}}';

/** A run that cannot be resumed or compensated needs neither plan nor progress. The plan may name a buyer. */
export const NOTHING_LEFT = { plan: "", progress: "" } as const;

/** Another instance has claimed or changed the record. The write of this instance was rejected. */
export class OwnershipLost extends Error {
  override readonly name = "OwnershipLost";
}

/**
 * Returns the record of a key. If there is none, creates it and claims it for `owner` (`fresh`). Returns undefined
 * instead if the partner has made `most` records of the `budget` today. One round trip, so a first request costs no
 * more than a repeated one.
 */
export async function openRecord(
  db: Cell,
  wanted: NewRecord,
  owner: string,
  { now, most, budget }: { readonly now: number; readonly most: number; readonly budget: string },
) {
  const row: IdempotencyRecord = { ...wanted, ...NEW_RECORD, owner, attemptStartedAt: now, createdAt: now, begunAt: now, updatedAt: now };
  const insert = () =>
    db
      .insert(idempotencyRecords)
      .select(sql`SELECT ${valuesOf(row)} WHERE ${hasRecordsLeft(wanted.partnerId, budget, most, now)}`)
      .onConflictDoNothing()
      .returning({ id: idempotencyRecords.id });
  const find = () => db.select().from(idempotencyRecords).where(eq(idempotencyRecords.id, wanted.id));
  // The text is the same for every new record, because the same values are missing.
  const statements = [
    prepareOnce(db, "new record", insert, [...parametersOf(row), ...recordsLeftParameters(wanted.partnerId, budget, most, now)]),
    prepareOnce(db, "record", find, [wanted.id]),
    ...(isCounted() ? [countRecord(db, wanted.partnerId, budget, now)] : []),
  ];
  const [inserted, found] = await db.$client.batch<StoredRow>(statements);
  const [record] = (found?.results ?? []).map(readStored);
  return { record, fresh: (inserted?.results ?? []).length > 0 };
}

const readStored = readerOf(getTableColumns(idempotencyRecords));

const NEW_RECORD = {
  state: "running",
  progress: EMPTY_PROGRESS,
  attempt: 1,
  epoch: 1,
  result: null,
  error: null,
  resumable: false,
  failures: 0,
  failedAttempts: 0,
  compensateAt: null,
  completedAt: null,
} as const;

/** The values of a row in column order, in the stored form. */
function valuesOf(row: IdempotencyRecord): SQL {
  const values: Readonly<Record<string, unknown>> = row;
  return sql.join(
    COLUMNS.map(([name, column]) => (values[name] === null ? sql`NULL` : sql.param(values[name], column))),
    sql`, `,
  );
}

/** The parameters of {@link valuesOf}, in order. */
function parametersOf(row: IdempotencyRecord): Value[] {
  return storedValues(idempotencyRecords, row).flatMap(([, value]) => (value === null ? [] : [value]));
}

const COLUMNS = Object.entries(getTableColumns(idempotencyRecords));

/** The current record. */
export async function readRecord(db: Cell, id: string): Promise<IdempotencyRecord | undefined> {
  return db.select().from(idempotencyRecords).where(eq(idempotencyRecords.id, id)).get();
}

/**
 * Claims a record only if it has not changed since it was read; otherwise throws {@link OwnershipLost}. `changes` has
 * the new request id. For a run that starts over, it also has the new plan and attempt. A claim cancels a scheduled
 * compensation, because the run continues from the earlier steps.
 */
export async function claimRecord(
  db: Cell,
  seen: IdempotencyRecord,
  owner: string,
  now: number,
  changes: Pick<IdempotencyRecord, "requestId"> &
    Partial<Omit<IdempotencyRecord, "id" | "partnerId" | "generation" | "operation" | "key" | "fingerprint" | "owner" | "epoch" | "state">>,
): Promise<IdempotencyRecord> {
  const claimed = await db
    .update(idempotencyRecords)
    .set({ ...changes, state: "running", compensateAt: null, owner, epoch: seen.epoch + 1, updatedAt: now })
    .where(and(eq(idempotencyRecords.id, seen.id), eq(idempotencyRecords.epoch, seen.epoch)))
    .returning()
    .get();
  if (claimed === undefined) throw new OwnershipLost();
  return claimed;
}

/**
 * Updates the record and writes `statements` in one transaction. The fencing token is checked in the database: if the
 * writer is not the current owner of a running record, `epoch` becomes NULL. The column is NOT NULL, so the batch is
 * rolled back. Every update increments `epoch`, so an instance that read the record before the update cannot claim it.
 * @returns the new epoch. @throws OwnershipLost if the write was rejected.
 */
export async function advanceRecord(
  db: Cell,
  held: Pick<IdempotencyRecord, "id" | "owner" | "epoch">,
  now: number,
  changes: Partial<Omit<IdempotencyRecord, "id" | "epoch">>,
  statements: readonly Write[],
): Promise<number> {
  const { owner, epoch, state } = idempotencyRecords;
  const build = () =>
    db
      .update(idempotencyRecords)
      .set({
        ...changes,
        updatedAt: now,
        epoch: sql`CASE WHEN ${owner} = ${held.owner} AND ${epoch} = ${held.epoch} AND ${state} = 'running' THEN ${epoch} + 1 END`,
      })
      .where(eq(idempotencyRecords.id, held.id));
  const values = storedValues(idempotencyRecords, { ...changes, updatedAt: now, epoch: held.epoch });
  const name = `advance ${values.map(([column]) => column).join()}`;
  // The condition compares the owner before the epoch.
  const parameters = values.flatMap(([column, value]) => (column === "epoch" ? [held.owner, value] : [value]));
  try {
    await writeAll(db, [prepareOnce(db, name, build, [...parameters, held.id]), ...statements]);
    return held.epoch + 1;
  } catch (thrown) {
    // This also covers a partner that has just moved: a second read of the record reports it.
    if (violatedColumn(thrown) === "idempotency_records.epoch" || isPartnerMovedError(thrown)) throw new OwnershipLost();
    throw thrown;
  }
}

/**
 * Claims a failed record for compensation. From now on, no run can resume it. `retryAt` is when compensation is due
 * again if this one does not finish. Undefined if the record has changed since it was read.
 */
export async function claimForCompensation(db: Cell, seen: IdempotencyRecord, retryAt: number): Promise<IdempotencyRecord | undefined> {
  return db
    .update(idempotencyRecords)
    .set({ resumable: false, compensateAt: retryAt, epoch: seen.epoch + 1 })
    .where(and(eq(idempotencyRecords.id, seen.id), eq(idempotencyRecords.epoch, seen.epoch)))
    .returning()
    .get();
}

/** Marks a failed record as compensated. Returns false if the record has changed since it was claimed. */
export async function markCompensated(db: Cell, claimed: IdempotencyRecord): Promise<boolean> {
  const marked = await db
    .update(idempotencyRecords)
    .set({ ...NOTHING_LEFT, compensateAt: null, epoch: claimed.epoch + 1 })
    .where(and(eq(idempotencyRecords.id, claimed.id), eq(idempotencyRecords.epoch, claimed.epoch)))
    .returning({ id: idempotencyRecords.id });
  return marked.length > 0;
}
