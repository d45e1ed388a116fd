import { type Clock, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { type Statement, writeTogether } from "../db/client.ts";
import { paymentSucceeded } from "../notifications/events.ts";
import { type OutboxTools, recordEvent, wakeUpFor } from "../notifications/outbox.ts";
import { knownPartner } from "../partners/store.ts";
import { partnerIn } from "../processor/attribution.ts";
import type { Processor, SubscriptionFacts } from "../processor/port.ts";
import { upsertSubscription } from "../subscriptions/store.ts";
import { type Movement, movementOfCharge, transactionOf } from "./movement.ts";
import { upsertProcessorObject } from "./objects-store.ts";
import { upsertMovement } from "./store.ts";

/** All calls of one look at the processor together, in milliseconds. */
export const FETCH_BUDGET = 25 * SECOND;

export interface LedgerTools extends OutboxTools {
  readonly clock: Clock;
  processor(environment: Environment): Processor;
}

/**
 * Brings the ledger up to date with a charge, as the processor has it now: the movement, the objects for its
 * snapshot, and the partner's event, in one batch with `also`. Nothing but the charge's id is taken from whatever
 * called for it, so events may come late, twice or in any order. Gives the movement; null while there is none yet.
 */
export async function recordCharge(
  tools: LedgerTools,
  environment: Environment,
  chargeId: string,
  also: (now: number, movement: Movement | null) => readonly Statement[],
): Promise<Movement | null> {
  const asOf = tools.clock.now();
  const facts = await tools.processor(environment).retrieveCharge(chargeId, { deadline: new Deadline(tools.clock, FETCH_BUDGET) });
  const partnerId = await knownPartner(tools.db, partnerIn(facts.metadata));
  const movement = movementOfCharge(facts, environment, partnerId);
  const event = movement === null ? null : eventOf(movement);
  const now = tools.clock.now();
  await writeTogether(tools.db, [
    ...facts.objects.map((object) => upsertProcessorObject(tools.db, object, environment, facts.paymentIntentId, asOf)),
    ...(facts.subscription === null ? [] : subscriptionRows(tools, facts.subscription, environment, partnerId, asOf)),
    ...(movement === null ? [] : [upsertMovement(tools.db, movement, asOf)]),
    ...(event === null ? [] : recordEvent(tools, event, now)),
    ...also(now, movement),
  ]);
  if (event !== null) await wakeUpFor(tools, event);
  if (facts.subscriptionId !== null && facts.subscription === null) {
    tools.log.error("subscription not readable", { charge: chargeId, subscription: facts.subscriptionId });
  }
  if (movement?.partnerId === null) tools.log.error("movement without a partner", { movement: movement.id, charge: chargeId });
  return movement;
}

/**
 * What is stored of a subscription. It is heard of by its payments too, since an event of its own may be lost; it
 * spans many of them, so its object belongs to none.
 */
export function subscriptionRows(
  { db }: Pick<LedgerTools, "db">,
  facts: SubscriptionFacts,
  environment: Environment,
  partnerId: string | null,
  asOf: number,
): Statement[] {
  return [upsertProcessorObject(db, facts.object, environment, null, asOf), upsertSubscription(db, facts, environment, partnerId, asOf)];
}

function eventOf(movement: Movement) {
  if (movement.partnerId === null || movement.status !== "completed") return null;
  return paymentSucceeded(movement.partnerId, movement.environment, transactionOf(movement));
}
