import { type Clock, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import type { Log } from "../core/log.ts";
import { type Statement, writeTogether } from "../db/client.ts";
import { type OutboxTools, recordEvent, wakeUpFor } from "../notifications/outbox.ts";
import type { PaymentSource } from "../processor/facts.ts";
import type { Processor } from "../processor/port.ts";
import { attribute } from "./attribution.ts";
import type { Movement } from "./movement.ts";
import { movementsOf } from "./movements-of.ts";
import { upsertProcessorObject } from "./objects-store.ts";
import { isNews, upsertMovement } from "./store.ts";
import { subscriptionRows } from "./subscription-rows.ts";
import { toldOf } from "./told-of.ts";

/** All calls of one look at the processor together, in milliseconds. */
export const FETCH_BUDGET = 25 * SECOND;

export interface LedgerTools extends OutboxTools {
  readonly clock: Clock;
  readonly log: Log;
  processor(environment: Environment): Processor;
}

/**
 * Brings the ledger up to date with a payment, as the processor has it now: its movements, the objects for its
 * snapshot, its subscription, and what the partner is told, in one batch with `also`. Nothing but an id is taken from
 * whatever called for it, so events may come late, twice or in any order. Gives the movements; none while the processor
 * has computed no balance transaction. @throws ServiceFailure as the processor's.
 */
export async function recordPayment(
  tools: LedgerTools,
  environment: Environment,
  source: PaymentSource,
  also: (now: number, movements: readonly Movement[]) => readonly Statement[],
): Promise<readonly Movement[]> {
  const { db, clock, log } = tools;
  const asOf = clock.now();
  const facts = await tools.processor(environment).retrievePayment(source, { deadline: new Deadline(clock, FETCH_BUDGET) });
  const { partnerId, why } = await attribute(db, facts);
  const movements = movementsOf(facts, environment, partnerId);
  const told = toldOf(movements, facts);
  const now = clock.now();
  const subscription =
    facts.subscription && subscriptionRows(tools, { ...facts, facts: facts.subscription, environment, partnerId, asOf, now });
  await writeTogether(db, [
    ...facts.objects.map((object) => upsertProcessorObject(db, object, environment, facts.paymentIntentId, asOf)),
    ...(subscription?.rows ?? []),
    ...movements.map((movement) => upsertMovement(db, movement, asOf)),
    ...told.flatMap(({ event, movement }) => recordEvent(tools, event, now, isNews(movement, asOf))),
    ...also(now, movements),
  ]);
  await wakeUpFor(tools, [...told.map(({ event }) => event), ...(subscription?.told ?? [])]);
  if (facts.subscriptionId !== null && facts.subscription === null) {
    log.error("subscription not readable", { source: source.id, subscription: facts.subscriptionId });
  }
  if (why !== null && movements.length > 0) log.error("movement without a partner", { source: source.id, movement: movements[0]?.id, why });
  return movements;
}
