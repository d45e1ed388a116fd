import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { type Statement, writeTogether } from "../db/client.ts";
import { wakeUpFor } from "../notifications/outbox.ts";
import { partnerIn } from "../processor/attribution.ts";
import { attribute } from "./attribution.ts";
import { FETCH_BUDGET, type LedgerTools } from "./record-payment.ts";
import { subscriptionRows } from "./subscription-rows.ts";

/**
 * Brings what is known of a subscription up to date with the processor, in one batch with `also`. Whose it is stands
 * in the metadata that its link gave it, or is the link's. Nothing but the id is taken from whatever called for it.
 * Gives the partner, null where nobody knows. @throws ServiceFailure as the processor's.
 */
export async function recordSubscription(
  tools: LedgerTools,
  environment: Environment,
  subscriptionId: string,
  also: (now: number, partnerId: string | null) => readonly Statement[],
): Promise<string | null> {
  const asOf = tools.clock.now();
  const deadline = new Deadline(tools.clock, FETCH_BUDGET);
  const processor = tools.processor(environment);
  const facts = await processor.retrieveSubscription(subscriptionId, { deadline });
  const { metadata } = facts;
  const paymentLinkId = partnerIn(metadata) === null ? await processor.findLinkOfSubscription(subscriptionId, { deadline }) : null;
  const { partnerId, why } = await attribute(tools.db, { metadata, paymentLinkId, subscriptionId, paymentIntentId: null });
  const now = tools.clock.now();
  const { rows, told } = subscriptionRows(tools, { facts, environment, partnerId, paymentLinkId, asOf, now });
  await writeTogether(tools.db, [...rows, ...also(now, partnerId)]);
  await wakeUpFor(tools, told);
  if (why !== null) tools.log.error("subscription without a partner", { subscription: subscriptionId, why });
  return partnerId;
}
