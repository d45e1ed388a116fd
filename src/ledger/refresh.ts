import { type Clock, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import type { Log } from "../core/log.ts";
import { runBatch, type Statement } from "../db/client.ts";
import type { PaymentFacts, Source } from "../processor/facts.ts";
import type { Processor } from "../processor/port.ts";
import { enqueueDeliveries, type OutboxDeps, recordEvent } from "../webhooks/outbox/record-event.ts";
import { type Attribution, attribute } from "./attribution.ts";
import type { Movement } from "./movement.ts";
import { movementsOf, unbookedRefundOf } from "./movements-of.ts";
import { upsertProcessorObject } from "./objects-store.ts";
import { partnerEventsOf } from "./partner-events.ts";
import { isNotSuperseded, upsertMovement } from "./store.ts";
import { subscriptionRows } from "./subscription-rows.ts";

/** Timeout for all processor calls of one refresh together, in milliseconds. */
const FETCH_TIMEOUT = limits.upstream.seconds * SECOND;

export interface LedgerDeps extends OutboxDeps {
  readonly clock: Clock;
  readonly log: Log;
  processor(environment: Environment): Processor;
}

/** A payment or a subscription as the processor had it at `asOf` (Unix milliseconds), and its owner. */
export interface Refresh {
  readonly environment: Environment;
  readonly source: Source;
  readonly asOf: number;
  readonly facts: PaymentFacts;
  readonly attribution: Attribution;
  readonly movements: readonly Movement[];
  /** A refund that failed before it was booked: it has an event, and no row. */
  readonly unbookedRefund: Movement | null;
}

/**
 * Looks a payment or a subscription up at the processor. Only an id is taken from the trigger of the refresh, so events
 * may come late, twice or in any order. @throws ServiceFailure as the processor does.
 */
export async function lookUp(deps: LedgerDeps, environment: Environment, source: Source): Promise<Refresh> {
  const asOf = deps.clock.now();
  const facts = await deps.processor(environment).retrieve(source, { deadline: new Deadline(deps.clock, FETCH_TIMEOUT) });
  const attribution = await attribute(deps.db, facts);
  const { partnerId } = attribution;
  const movements = movementsOf(facts, environment, partnerId);
  return { environment, source, asOf, facts, attribution, movements, unbookedRefund: unbookedRefundOf(facts, environment, partnerId) };
}

/**
 * Whether the refresh came too early: something is there to record, and the processor has not connected it yet with
 * what shows its owner or its order reference. Waiting is of no use for a transaction that belongs to no payment, for an
 * owner that does not exist, and for evidence that contradicts itself.
 */
export function isEarly({ facts, attribution, movements, unbookedRefund }: Refresh): boolean {
  const { charge, refund, dispute, subscription, missing } = facts;
  if (missing === "payment") return true;
  const isOfPayment = [charge, refund, dispute, subscription].some((found) => found !== null);
  const isThere = movements.length > 0 || subscription !== null || unbookedRefund !== null;
  return isOfPayment && isThere && (missing !== null || attribution.why === "unknown");
}

/**
 * Stores a refresh: movements, the objects for the snapshot, the subscription and the partner events, in one batch with
 * `extraStatements`. There is no movement while the processor has not computed a balance transaction.
 */
export async function store(
  deps: LedgerDeps,
  { environment, source, asOf, facts, attribution, movements, unbookedRefund }: Refresh,
  extraStatements: (now: number) => readonly Statement[] = () => [],
): Promise<void> {
  const { db, clock, log } = deps;
  const { partnerId, why } = attribution;
  const events = partnerEventsOf([...movements, ...(unbookedRefund === null ? [] : [unbookedRefund])], facts);
  const now = clock.now();
  const subscription =
    facts.subscription && subscriptionRows(deps, { ...facts, facts: facts.subscription, environment, partnerId, asOf, now });
  await runBatch(db, [
    ...facts.objects.map((object) => upsertProcessorObject(db, object, environment, facts.paymentIntentId, asOf)),
    ...(subscription?.rows ?? []),
    ...movements.map((movement) => upsertMovement(db, movement, asOf)),
    ...events.flatMap(({ event, movement }) => recordEvent(deps, event, now, isNotSuperseded(movement, asOf))),
    ...extraStatements(now),
  ]);
  await enqueueDeliveries(deps, [...events.map(({ event }) => event), ...(subscription?.events ?? [])]);
  if (facts.subscriptionId !== null && facts.subscription === null) {
    log.error("subscription not readable", { source: source.id, subscription: facts.subscriptionId });
  }
  if (why === null) return;
  if (movements.length > 0) log.error("movement without a partner", { source: source.id, movement: movements[0]?.id, why });
  else if (facts.subscription !== null) log.error("subscription without a partner", { subscription: facts.subscription.id, why });
}

/** {@link lookUp} and {@link store}: records what is there now, early or not. */
export async function refresh(deps: LedgerDeps, environment: Environment, source: Source): Promise<Refresh> {
  const found = await lookUp(deps, environment, source);
  await store(deps, found);
  return found;
}
