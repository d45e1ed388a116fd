import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { runBatch, type Statement } from "../db/client.ts";
import { partnerIdIn } from "../processor/attribution.ts";
import { enqueueDeliveries } from "../webhooks/outbox/record-event.ts";
import { attribute } from "./attribution.ts";
import { FETCH_TIMEOUT, type LedgerDeps } from "./record-payment.ts";
import { subscriptionRows } from "./subscription-rows.ts";

/**
 * Updates the stored subscription from the processor, in one batch with `also`. The owner is the partner in the
 * metadata that the link passed on, or else the owner of the link. Only the id is taken from the trigger of the
 * refresh. Returns the partner, or null if it is unknown. @throws ServiceFailure as the processor does.
 */
export async function recordSubscription(
  deps: LedgerDeps,
  environment: Environment,
  subscriptionId: string,
  extraStatements: (now: number, partnerId: string | null) => readonly Statement[],
): Promise<string | null> {
  const asOf = deps.clock.now();
  const deadline = new Deadline(deps.clock, FETCH_TIMEOUT);
  const processor = deps.processor(environment);
  const facts = await processor.retrieveSubscription(subscriptionId, { deadline });
  const { metadata } = facts;
  const paymentLinkId = partnerIdIn(metadata) === null ? await processor.findPaymentLinkOfSubscription(subscriptionId, { deadline }) : null;
  const { partnerId, why } = await attribute(deps.db, { metadata, paymentLinkId, subscriptionId, paymentIntentId: null });
  const now = deps.clock.now();
  const { rows, events } = subscriptionRows(deps, { facts, environment, partnerId, paymentLinkId, asOf, now });
  await runBatch(deps.db, [...rows, ...extraStatements(now, partnerId)]);
  await enqueueDeliveries(deps, events);
  if (why !== null) deps.log.error("subscription without a partner", { subscription: subscriptionId, why });
  return partnerId;
}
