import { and, eq, gte, sql } from "drizzle-orm";
import type { CellCode } from "../core/cell-code.ts";
import { type Directory, runBatch } from "../db/client.ts";
import { owedComparisons, reconciliations } from "../db/schema/reconciliations.ts";

/** The progress of one reconciliation, in Unix milliseconds; undefined before its first run. */
export async function findReconciliation(directory: Directory, name: string) {
  return directory.select().from(reconciliations).where(eq(reconciliations.name, name)).get();
}

/**
 * Stores the progress of a reconciliation, never back in time, and adds the number of missing entries. Returns false if
 * it was set back to before `from` in the meantime: then this progress is void.
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

/** The suffix of the second pass, one day later. */
export const DAY_LATER = ":day_later";

/** How far the first pass of each comparison has come. There are only a few. */
export function progressOfComparisons(directory: Directory) {
  const { name, comparedUntil: since } = reconciliations;
  return directory
    .select({ id: name, since })
    .from(reconciliations)
    .where(sql`${name} NOT LIKE ${`%${DAY_LATER}`}`);
}

/** The progress of all reconciliations. There are only a few. */
export function allReconciliations(directory: Directory) {
  return directory.select().from(reconciliations).orderBy(reconciliations.name);
}

/** Sets all comparisons back to a time: the processor's entries since then are compared again. */
export function compareAgainFrom(directory: Directory, since: number) {
  return directory.update(reconciliations).set({ comparedUntil: sql`MIN(${reconciliations.comparedUntil}, ${since})` });
}

/**
 * Stores that the entries since a time were not compared with these cells. The earliest time stays. One D1 round trip.
 */
export async function oweComparisons(directory: Directory, cells: ReadonlySet<CellCode>, since: number): Promise<void> {
  await directory
    .insert(owedComparisons)
    .values([...cells].map((cell) => ({ cell, since })))
    .onConflictDoUpdate({ target: owedComparisons.cell, set: { since: sql`MIN(${owedComparisons.since}, excluded.since)` } });
}

/** The cells with owed comparisons, each with the start of its period. */
export function allOwedComparisons(directory: Directory) {
  return directory.select().from(owedComparisons).all();
}

/**
 * Sets all comparisons back to the start of a cell's owed period, and deletes the debt unless it has grown. One D1
 * round trip.
 */
export async function payOwedComparisons(directory: Directory, { cell, since }: typeof owedComparisons.$inferSelect): Promise<void> {
  const isPaid = and(eq(owedComparisons.cell, cell), gte(owedComparisons.since, since));
  await runBatch(directory, [compareAgainFrom(directory, since), directory.delete(owedComparisons).where(isPaid)]);
}
