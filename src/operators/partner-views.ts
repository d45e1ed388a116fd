import { auditEntries, auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { HOUR } from "../core/clock.ts";
import { type InDirectory, runBatch } from "../db/client.ts";

/** The audit log's name of a view. */
const VIEW = "partner.view";
/** How long a view stays open. */
const LASTS = 8 * HOUR;

/** Notes in the audit log, which the partner's owners see, that an operator looks at the partner's dashboard. */
export async function noteView({ directory, clock }: InDirectory, partnerId: string, actor: Actor): Promise<void> {
  await runBatch(directory, [auditRow(directory, { actor, action: VIEW, target: partnerId, partnerId }, clock.now())]);
}

/** Whether the audit log has that the operator began to look within the last eight hours. */
export async function isViewing({ directory, clock }: InDirectory, partnerId: string, actor: Actor): Promise<boolean> {
  const views = { partnerId, target: partnerId, actor: actor.name, action: VIEW, from: clock.now() - LASTS };
  return (await auditEntries(directory, views, { at: Number.MAX_SAFE_INTEGER, id: 0 }, 1)).length > 0;
}
