import { type Clock, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { Database } from "../db/client.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Processor } from "../processor/port.ts";
import { findSubscription } from "./store.ts";

/** All calls to the processor together, in milliseconds. */
const UPSTREAM_BUDGET = 25 * SECOND;

/** What a subscription never comes back from. */
const ENDED: ReadonlySet<string> = new Set(["canceled", "incomplete_expired"]);

interface CancellationTools {
  readonly db: Database;
  readonly clock: Clock;
  processor(environment: Environment): Processor;
}

/**
 * Schedules the end of one of the caller's subscriptions at the end of its paid period, or takes that back (interface,
 * operation 4). Setting what is set already changes nothing, so no key is needed. One D1 round trip and one processor
 * call, or two where an end that was set otherwise is taken back.
 * @returns the processor's subscription, without the addresses of its pages.
 * @throws ServiceFailure `subscription_not_known` as long as no event has told of it, `subscription_of_another_partner`,
 * `subscription_not_active`, `subscription_not_changeable`, or as the processor's.
 */
export async function setCancelAtPeriodEnd(
  tools: CancellationTools,
  caller: Caller,
  { subscriptionId, cancelAtPeriodEnd }: { readonly subscriptionId: string; readonly cancelAtPeriodEnd: boolean },
): Promise<JsonObject> {
  const known = await findSubscription(tools.db, subscriptionId);
  if (known === undefined) throw new ServiceFailure({ kind: "subscription_not_known" });
  if (known.partnerId !== caller.partnerId) throw new ServiceFailure({ kind: "subscription_of_another_partner" });
  if (ENDED.has(known.status)) throw new ServiceFailure({ kind: "subscription_not_active" });

  const deadline = new Deadline(tools.clock, UPSTREAM_BUDGET);
  try {
    const processor = tools.processor(known.environment);
    return (await processor.setCancelAtPeriodEnd(subscriptionId, cancelAtPeriodEnd, { deadline })).object.data;
  } catch (thrown) {
    const refusal = thrown instanceof ServiceFailure && thrown.leaves === "nothing" ? thrown.error : null;
    if (refusal?.kind !== "upstream_failed") throw thrown;
    // It has ended, and the event that says so is still on its way; or it never began, or is under a schedule.
    throw new ServiceFailure({ kind: "subscription_not_changeable", message: refusal.message }, { cause: thrown });
  }
}
