import { type Clock, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import type { Log } from "../core/log.ts";
import { runBatch, type Statement } from "../db/client.ts";
import type { PaymentSource } from "../processor/facts.ts";
import type { Processor } from "../processor/port.ts";
import { enqueueDeliveries, type OutboxDeps, recordEvent } from "../webhooks/outbox/record-event.ts";
import { attribute } from "./attribution.ts";
import type { Movement } from "./movement.ts";
import { movementsOf } from "./movements-of.ts";
import { upsertProcessorObject } from "./objects-store.ts";
import { partnerEventsOf } from "./partner-events.ts";
import { isNotSuperseded, upsertMovement } from "./store.ts";
import { subscriptionRows } from "./subscription-rows.ts";

/** Timeout for all processor calls of one refresh together, in milliseconds. */
export const FETCH_TIMEOUT = limits.upstream.seconds * SECOND;

export interface LedgerDeps extends OutboxDeps {
  readonly clock: Clock;
  readonly log: Log;
  processor(environment: Environment): Processor;
}

/**
 * Updates the ledger with the current state of a payment at the processor: its movements, the objects for its snapshot,
 * its subscription and the partner events, in one batch with `also`. Only an id is taken from the trigger of the
 * refresh, so events may come late, twice or in any order. Returns the movements; none while the processor has not
 * computed a balance transaction. @throws ServiceFailure as the processor does.
 */
export async function recordPayment(
  deps: LedgerDeps,
  environment: Environment,
  source: PaymentSource,
  extraStatements: (now: number, movements: readonly Movement[]) => readonly Statement[],
): Promise<readonly Movement[]> {
  const { db, clock, log } = deps;
  const asOf = clock.now();
  const facts = await deps.processor(environment).retrievePayment(source, { deadline: new Deadline(clock, FETCH_TIMEOUT) });
  const { partnerId, why } = await attribute(db, facts);
  const movements = movementsOf(facts, environment, partnerId);
  const events = partnerEventsOf(movements, facts);
  const now = clock.now();
  const subscription =
    facts.subscription && subscriptionRows(deps, { ...facts, facts: facts.subscription, environment, partnerId, asOf, now });
  await runBatch(db, [
    ...facts.objects.map((object) => upsertProcessorObject(db, object, environment, facts.paymentIntentId, asOf)),
    ...(subscription?.rows ?? []),
    ...movements.map((movement) => upsertMovement(db, movement, asOf)),
    ...events.flatMap(({ event, movement }) => recordEvent(deps, event, now, isNotSuperseded(movement, asOf))),
    ...extraStatements(now, movements),
  ]);
  await enqueueDeliveries(deps, [...events.map(({ event }) => event), ...(subscription?.events ?? [])]);
  if (facts.subscriptionId !== null && facts.subscription === null) {
    log.error("subscription not readable", { source: source.id, subscription: facts.subscriptionId });
  }
  if (why !== null && movements.length > 0) log.error("movement without a partner", { source: source.id, movement: movements[0]?.id, why });
  return movements;
}
