import { and, eq, gt, isNull, not, type SQL, sql } from "drizzle-orm";
import type { Directory, Statement } from "../db/client.ts";
import { confirmations } from "../db/schema/grants.ts";

/**
 * Ends what waits of a grant, or was approved and has not begun, in all environments but those in which a rule still has it wait. For a
 * batch with what made it void: the grant has ended, or its rule is gone, and a decision about it would decide nothing.
 */
export function endWaiting(directory: Directory, grantId: string | SQL, now: number, ruled: readonly string[] = []): Statement {
  const { expiresAt, begunAt, doneAt, decision, preview } = confirmations;
  const isOpen = and(gt(expiresAt, now), isNull(begunAt), isNull(doneAt), sql`${decision} IS NOT 'refused'`);
  const waitsOn = sql`EXISTS (SELECT 1 FROM json_each(${preview}, '$.environments') WHERE value IN (SELECT value FROM json_each(${JSON.stringify(ruled)})))`;
  return directory
    .update(confirmations)
    .set({ expiresAt: now })
    .where(and(eq(confirmations.grantId, grantId), isOpen, not(waitsOn)));
}
