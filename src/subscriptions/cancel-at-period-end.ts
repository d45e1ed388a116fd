import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { upstreamBudget } from "../core/call-budget.ts";
import type { CellCode, DatabaseName } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import { hasEnded } from "../core/object-states.ts";
import { type Cell, type Database, runBatch } from "../db/client.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Processor } from "../processor/processor.ts";
import { findSubscription } from "./list-subscriptions.ts";

/** Timeout for all processor calls together, in milliseconds. */

interface CancellationDeps {
  readonly databaseName: CellCode;
  readonly db: Cell;
  readonly databaseNames: readonly DatabaseName[];
  readonly inDatabase: (databaseName: DatabaseName) => { readonly db: Database };
  readonly clock: Clock;
  readonly mayCallFor: (partnerId: string, environment: Environment) => Promise<boolean>;
  processor(environment: Environment): Processor;
}

/**
 * Schedules the end of one of the caller's subscriptions at the end of its paid period, or removes this schedule
 * (interface 4.2, 4.3). Setting the same value again changes nothing, so no idempotency key is needed. The audit log has first
 * who asked for it, because a call to the processor may be carried out although its answer is lost. Two D1 round
 * trips and one processor call, or two if an end that was set in another way must be removed.
 * @returns the processor's subscription, without the URLs of the processor's pages.
 * @throws ServiceFailure `subscription_not_known` until an event about it was received,
 * `subscription_of_another_partner`, `subscription_not_active`, `subscription_not_changeable`, or as the processor
 * does.
 */
export async function setCancelAtPeriodEnd(
  deps: CancellationDeps,
  caller: Caller,
  { subscriptionId, cancelAtPeriodEnd }: { readonly subscriptionId: string; readonly cancelAtPeriodEnd: boolean },
  actor: Actor,
): Promise<JsonObject> {
  const known = await findSubscription(deps.db, subscriptionId);
  if (known === undefined) {
    throw new ServiceFailure({
      kind: (await isElsewhere(deps, subscriptionId)) ? "subscription_of_another_partner" : "subscription_not_known",
    });
  }
  if (known.partnerId !== caller.partnerId) throw new ServiceFailure({ kind: "subscription_of_another_partner" });
  if (hasEnded(known)) throw new ServiceFailure({ kind: "subscription_not_active" });

  const entry = { actor, action: "subscription.set_cancel" as const, target: subscriptionId, partnerId: caller.partnerId };
  await runBatch(deps.db, [auditRow(deps.db, { ...entry, after: { cancel_at_period_end: cancelAtPeriodEnd } }, deps.clock.now())]);
  const budget = upstreamBudget(deps.clock, () => deps.mayCallFor(caller.partnerId, known.environment));
  try {
    const processor = deps.processor(known.environment);
    return (await processor.setCancelAtPeriodEnd(subscriptionId, cancelAtPeriodEnd, { budget })).object.data;
  } catch (thrown) {
    const refusal = thrown instanceof ServiceFailure && thrown.sideEffects === "none" ? thrown.error : null;
    if (refusal?.kind !== "upstream_failed") throw thrown;
    // Either the subscription has ended and the event has not arrived yet, or it never started, or it is controlled by
    // a subscription schedule.
    throw new ServiceFailure({ kind: "subscription_not_changeable", message: refusal.message }, { cause: thrown });
  }
}

/** Whether a subscription is known outside the caller's cell: then it belongs to another partner, or to none. */
async function isElsewhere({ databaseName: own, databaseNames, inDatabase }: CancellationDeps, subscriptionId: string): Promise<boolean> {
  for (const databaseName of databaseNames) {
    if (databaseName !== own && (await findSubscription(inDatabase(databaseName).db, subscriptionId)) !== undefined) return true;
  }
  return false;
}
