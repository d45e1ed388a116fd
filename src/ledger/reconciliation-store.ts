import { and, eq, gte, sql } from "drizzle-orm";
import type { CellCode } from "../core/cell-code.ts";
import { type Directory, runBatch } from "../db/client.ts";
import { owedComparisons, reconciliations } from "../db/schema/reconciliations.ts";

/** How far one reconciliation has come, in Unix milliseconds; undefined before its first run. */
export async function findReconciliation(directory: Directory, name: string) {
  return directory.select().from(reconciliations).where(eq(reconciliations.name, name)).get();
}

/**
 * Stores the progress of a reconciliation, never back in time, and adds the number of entries that were missing. Returns
 * false if it was set back meanwhile, before `from`: then this progress says nothing.
 */
export async function recordReconciliation(
  directory: Directory,
  name: string,
  { from, until: comparedUntil }: { readonly from: number; readonly until: number },
  missing: number,
  now: number,
): Promise<boolean> {
  const stored = await directory
    .insert(reconciliations)
    .values({ name, comparedUntil, missingCount: missing, updatedAt: now })
    .onConflictDoUpdate({
      target: reconciliations.name,
      set: {
        comparedUntil: sql`MAX(${reconciliations.comparedUntil}, ${comparedUntil})`,
        missingCount: sql`${reconciliations.missingCount} + ${missing}`,
        updatedAt: now,
      },
      setWhere: gte(reconciliations.comparedUntil, from),
    })
    .returning({ name: reconciliations.name });
  return stored.length > 0;
}

/** The progress of all reconciliations. There are only a few. */
export function allReconciliations(directory: Directory) {
  return directory.select().from(reconciliations).orderBy(reconciliations.name);
}

/** Sets all comparisons back to a time: what the processor has listed since then is compared again. */
export function compareAgainFrom(directory: Directory, since: number) {
  return directory.update(reconciliations).set({ comparedUntil: sql`MIN(${reconciliations.comparedUntil}, ${since})` });
}

/** Notes that what was listed since a time was not compared with these cells. The earliest time stays. One D1 round trip. */
export async function oweComparisons(directory: Directory, cells: ReadonlySet<CellCode>, since: number): Promise<void> {
  await directory
    .insert(owedComparisons)
    .values([...cells].map((cell) => ({ cell, since })))
    .onConflictDoUpdate({ target: owedComparisons.cell, set: { since: sql`MIN(${owedComparisons.since}, excluded.since)` } });
}

/** The cells that comparisons are owed to, each with the time since when. */
export function allOwedComparisons(directory: Directory) {
  return directory.select().from(owedComparisons).all();
}

/** Sets all comparisons back to what a cell is owed, and forgets that it is, unless it is owed more by now. One D1 round trip. */
export async function payOwedComparisons(directory: Directory, { cell, since }: typeof owedComparisons.$inferSelect): Promise<void> {
  const isPaid = and(eq(owedComparisons.cell, cell), gte(owedComparisons.since, since));
  await runBatch(directory, [compareAgainFrom(directory, since), directory.delete(owedComparisons).where(isPaid)]);
}
