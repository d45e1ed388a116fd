import { asc, gt, inArray, sql } from "drizzle-orm";
import type { CellCode } from "../core/cell-code.ts";
import { type Cell, type Directory, inList } from "../db/client.ts";
import { erasures } from "../db/schema/erasures.ts";
import { SWEEP_PREFIX } from "./events-store.ts";
import { transactionIdOf } from "./movement.ts";
import { movementsAfter } from "./movements/store.ts";
import { type InboxDeps, receiveProcessorEvents } from "./processor-events.ts";
import { eraseSnapshot, isSnapshotErased, type SnapshotDeps } from "./snapshots.ts";
import { TRANSACTION_MISSING } from "./sources.ts";

export interface RefillDeps extends InboxDeps, SnapshotDeps {
  readonly databaseName: CellCode;
  readonly db: Cell;
  readonly directory: Directory;
}

/** `next`: the position to continue at; null at the end. */
interface Refilled {
  readonly count: number;
  readonly next: string | null;
}

/** Snapshots that are looked at together. */
const MARKS_AT_ONCE = 10;

/**
 * Marks a page of erased snapshots again after R2 was lost. Nothing may be fetched before all are marked, or personal data would return.
 * @param after the last key of the previous page; empty at first
 * @returns the last key of the page; null if it was the last page
 */
export async function restoreErasureMarks(
  deps: SnapshotDeps & { readonly directory: Directory },
  after: string,
  limit: number,
): Promise<string | null> {
  const rows = await deps.directory.select().from(erasures).where(gt(erasures.key, after)).orderBy(asc(erasures.key)).limit(limit);
  for (let start = 0; start < rows.length; start += MARKS_AT_ONCE)
    await Promise.all(
      rows.slice(start, start + MARKS_AT_ONCE).map(async ({ key }) => {
        // Objects may have been stored since the loss, without the mark.
        if (!(await isSnapshotErased(deps, key))) await eraseSnapshot(deps, key);
      }),
    );
  return rows.length < limit ? null : (rows.at(-1)?.key ?? null);
}

/**
 * Fetches the objects of a cell's movements from the processor again, a page at a time: each becomes an internal event,
 * which is processed like all others. The ledger stays unchanged.
 * @param after the last movement of the previous page; empty at first
 */
export async function refillSnapshots(deps: RefillDeps, after: string, limit: number): Promise<Refilled> {
  const rows = await movementsAfter(deps.db, after, limit);
  const events = rows.map(({ id, environment, partnerId }) => {
    const objectId = transactionIdOf(id);
    return { id: `${SWEEP_PREFIX}${objectId}`, subject: objectId, type: TRANSACTION_MISSING, environment, objectId, partnerId };
  });
  await receiveProcessorEvents(deps, events);
  const last = rows.at(-1);
  return { count: rows.length, next: rows.length < limit || last === undefined ? null : last.id };
}

/** Which of some snapshots were erased. By key. */
export async function erasedAmong(directory: Directory, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await directory
    .select({ key: erasures.key })
    .from(erasures)
    .where(inArray(erasures.key, inList(keys)));
  return new Set(rows.map(({ key }) => key));
}

/** Stores which snapshots were erased. */
export function noteErasures(directory: Directory, keys: readonly string[], now: number) {
  return directory
    .insert(erasures)
    .select(sql`SELECT value, ${now} FROM json_each(${JSON.stringify(keys)}) WHERE true`)
    .onConflictDoNothing();
}
