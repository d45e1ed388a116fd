import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { type Statement, writeTogether } from "../db/client.ts";
import { knownPartner } from "../partners/store.ts";
import { partnerIn } from "../processor/attribution.ts";
import { FETCH_BUDGET, type LedgerTools, subscriptionRows } from "./record-charge.ts";

/**
 * Brings what is known of a subscription up to date with the processor, in one batch with `also`. Whose it is stands
 * in the metadata that its link gave it. Nothing but the id is taken from whatever called for it.
 */
export async function recordSubscription(
  tools: LedgerTools,
  environment: Environment,
  subscriptionId: string,
  also: (now: number) => readonly Statement[],
): Promise<void> {
  const asOf = tools.clock.now();
  const deadline = new Deadline(tools.clock, FETCH_BUDGET);
  const facts = await tools.processor(environment).retrieveSubscription(subscriptionId, { deadline });
  const partnerId = await knownPartner(tools.db, partnerIn(facts.metadata));
  await writeTogether(tools.db, [...subscriptionRows(tools, facts, environment, partnerId, asOf), ...also(tools.clock.now())]);
  if (partnerId === null) tools.log.error("subscription without a partner", { subscription: subscriptionId });
}
