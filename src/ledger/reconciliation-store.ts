import { eq, gte, sql } from "drizzle-orm";
import type { Directory } from "../db/client.ts";
import { reconciliations } from "../db/schema/reconciliations.ts";

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
