import { and, eq, isNull, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { InDirectory } from "../db/client.ts";
import { grants } from "../db/schema/grants.ts";
import { endWaiting } from "./end-waiting.ts";
import { type Grant, grantOf, selectGrant } from "./store.ts";

/**
 * Ends a grant: the next request with one of its tokens is refused. A grant that has ended stays unchanged. Undefined
 * for an unknown id. `reason` is for the audit log.
 */
export async function endGrant({ directory, clock }: InDirectory, id: string, actor: Actor, reason?: string): Promise<Grant | undefined> {
  const [found] = await selectGrant(directory, id);
  if (found === undefined || found.endedAt !== null) return found && grantOf(found);
  const now = clock.now();
  const isOpen = and(eq(grants.id, id), isNull(grants.endedAt));
  const entry = {
    actor,
    action: "grant.revoke" as const,
    target: id,
    partnerId: found.partnerId,
    ...(reason === undefined ? {} : { after: { reason } }),
  };
  await directory.batch([
    auditRow(directory, entry, now, sql`EXISTS (SELECT 1 FROM ${grants} WHERE ${isOpen})`),
    endWaiting(directory, id, now),
    directory.update(grants).set({ endedAt: now }).where(isOpen),
  ]);
  const [ended] = await selectGrant(directory, id);
  return ended && grantOf(ended);
}
