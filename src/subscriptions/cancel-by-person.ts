import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { runBatch } from "../db/client.ts";
import { type Caller, requirePermission } from "../partners/authenticate.ts";
import { setCancelAtPeriodEnd } from "./cancel-at-period-end.ts";

type Cancellation = Parameters<typeof setCancelAtPeriodEnd>[2];

/**
 * {@link setCancelAtPeriodEnd} by a person, with a row in the audit log. Any key of a partner may do it, because an owner gave
 * each key to a program. A person needs a right: the agreed one, or else `product_create`.
 * @throws ServiceFailure as the operation does, and `permission_missing`.
 */
export async function cancelByPerson(
  deps: Parameters<typeof setCancelAtPeriodEnd>[0],
  caller: Caller,
  cancellation: Cancellation,
  actor: Actor,
): ReturnType<typeof setCancelAtPeriodEnd> {
  requirePermission(caller, caller.cancelPermission ?? "product_create", "person");
  const changed = await setCancelAtPeriodEnd(deps, caller, cancellation);
  const { subscriptionId, cancelAtPeriodEnd } = cancellation;
  const entry = { actor, action: "subscription.set_cancel", target: subscriptionId, partnerId: caller.partnerId };
  await runBatch(deps.db, [auditRow(deps.db, { ...entry, after: { cancel_at_period_end: cancelAtPeriodEnd } }, deps.clock.now())]);
  return changed;
}
