import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Directory, Statement } from "../db/client.ts";
import { confirmations } from "../db/schema/grants.ts";

/**
 * Ends what waits of a grant, or was approved and has not begun: all of it, or what is of one environment. For a batch with what made it
 * void: the grant has ended, or its rule is gone, and a decision about it would decide nothing.
 */
export function endWaiting(directory: Directory, grantId: string, now: number, environment?: Environment): Statement {
  const { expiresAt, begunAt, doneAt, decision, preview } = confirmations;
  const isOpen = and(gt(expiresAt, now), isNull(begunAt), isNull(doneAt), sql`${decision} IS NOT 'refused'`);
  const isOf = environment && sql`EXISTS (SELECT 1 FROM json_each(${preview}, '$.environments') WHERE value = ${environment})`;
  return directory
    .update(confirmations)
    .set({ expiresAt: now })
    .where(and(eq(confirmations.grantId, grantId), isOpen, isOf));
}
