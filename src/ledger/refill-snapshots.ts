import { asc, gt, inArray, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Cell, type Directory, inList, runBatch } from "../db/client.ts";
import { erasures } from "../db/schema/erasures.ts";
import { SWEEP_PREFIX } from "./events-store.ts";
import { transactionIdOf } from "./movement.ts";
import { movementsAfter } from "./movements/store.ts";
import { type InboxDeps, receiveProcessorEvents } from "./processor-events.ts";
import { isInOutage, overdueRefreshes } from "./refreshes-store.ts";
import { eraseSnapshot, isSnapshotErased, type SnapshotDeps } from "./snapshots.ts";
import { TRANSACTION_MISSING } from "./sources.ts";

export interface RefillDeps extends InboxDeps, SnapshotDeps {
  readonly databaseName: CellCode;
  readonly db: Cell;
  readonly directory: Directory;
}

/** What a part did. */
export interface Refilled {
  /** Erased snapshots that were marked again. */
  readonly marked: number;
  /** Movements whose objects are fetched again. */
  readonly fetched: number;
  /** Where the next part begins; null at the end. */
  readonly next: string | null;
}

/** The look-ups of one part, and the most that may be due before the next part: live payments need them too. */
const LOOK_UPS = 100;
/** The marks of one part: each is a call of R2, of which a run has ten thousand. */
const MARKS = 1_000;
/** The marks that are made together. */
const MARKS_AT_ONCE = 10;
/** A part that marks begins so; behind it stands the last key. */
const MARKING = "erased ";

/**
 * Writes a part of a cell's snapshots again after R2 was lost: first the marks of what was erased, or personal data would return, then the
 * objects of all movements, in the order of their ids. It does nothing while look-ups are due or the processor does not answer.
 * @param after `next` of the part before; empty at first
 */
export async function refillSnapshots(deps: RefillDeps, after: string, actor: Actor): Promise<Refilled> {
  const now = deps.clock.now();
  const [due, isOut] = await Promise.all([overdueRefreshes(deps.db, { until: now }, LOOK_UPS), isInOutage(deps.db)]);
  if (due.length >= LOOK_UPS || isOut) return { marked: 0, fetched: 0, next: after };
  const entry = { actor, action: "snapshots.refill" as const, target: deps.databaseName, after: { after } };
  await runBatch(deps.db, [auditRow(deps.db, entry, now)]);
  if (after !== "" && !after.startsWith(MARKING)) return { marked: 0, ...(await fetchAgain(deps, after)) };
  const { marked, next } = await restoreErasureMarks(deps, after.slice(MARKING.length), MARKS);
  return next === null ? { marked, ...(await fetchAgain(deps, "")) } : { marked, fetched: 0, next: `${MARKING}${next}` };
}

/** Marks a page of what was erased, after a key. `next`: the last key of the page; null if it was the last page. */
export async function restoreErasureMarks(
  deps: SnapshotDeps & { readonly directory: Directory },
  after: string,
  limit: number,
): Promise<Omit<Refilled, "fetched">> {
  const rows = await deps.directory.select().from(erasures).where(gt(erasures.key, after)).orderBy(asc(erasures.key)).limit(limit);
  for (let start = 0; start < rows.length; start += MARKS_AT_ONCE)
    await Promise.all(
      rows.slice(start, start + MARKS_AT_ONCE).map(async ({ key }) => {
        // Objects may have been stored since the loss, without the mark.
        if (!(await isSnapshotErased(deps, key))) await eraseSnapshot(deps, key);
      }),
    );
  return { marked: rows.length, next: rows.length < limit ? null : (rows.at(-1)?.key ?? null) };
}

/** Looks up a page of a cell's movements, after an id: each becomes an internal event, which is processed like all others. The ledger stays unchanged. */
async function fetchAgain(deps: RefillDeps, after: string): Promise<Omit<Refilled, "marked">> {
  const rows = await movementsAfter(deps.db, after, LOOK_UPS);
  const events = rows.map(({ id, environment, partnerId }) => {
    const objectId = transactionIdOf(id);
    return { id: `${SWEEP_PREFIX}${objectId}`, subject: objectId, type: TRANSACTION_MISSING, environment, objectId, partnerId };
  });
  await receiveProcessorEvents(deps, events);
  return { fetched: rows.length, next: rows.length < LOOK_UPS ? null : (rows.at(-1)?.id ?? null) };
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
