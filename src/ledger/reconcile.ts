import { HOUR, MINUTE, SECOND } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { missingSubscriptions } from "../subscriptions/store.ts";
import { missingProcessorEvents, overdueProcessorEvents } from "./events-store.ts";
import { movementId } from "./movement.ts";
import type { ProcessorEventDeps } from "./processor-events.ts";
import { reconcile, type Slices } from "./slices.ts";
import { reconciledEventTypes, SUBSCRIPTION_MISSING, TRANSACTION_MISSING } from "./sources.ts";
import { missingMovements } from "./store.ts";

/** Grace period for the queue, before the sweep takes over. */
const QUEUE_GRACE = 30 * SECOND;
const MAX_EVENTS = 500;
/** While it is read, an event takes a few kilobytes. Of the other objects, only short strings are kept. */
const EVENT_SLICES: Slices = { first: 5 * MINUTE, longest: 6 * HOUR, shortest: 10 * SECOND, full: 500 };
const TRANSACTION_SLICES: Slices = { first: 5 * MINUTE, longest: 6 * HOUR, shortest: 30 * SECOND, full: 2_000 };

/** Enqueues stored events again if their queue message was lost or dead-lettered. Returns the number of events. */
export async function sweepProcessorEvents(deps: ProcessorEventDeps): Promise<number> {
  const overdue = await overdueProcessorEvents(deps.db, deps.clock.now() - QUEUE_GRACE, MAX_EVENTS);
  await deps.processorEventQueue.send(overdue);
  return overdue.length;
}

/**
 * Compares the received events with the processor's own list of events, and stores the missing ones. This is necessary
 * because the end of a subscription or of a dispute moves no money, so no other list shows it. Returns the number of
 * missing events.
 */
export async function sweepMissedEvents(deps: ProcessorEventDeps, environment: Environment, slices = EVENT_SLICES): Promise<number> {
  const processor = deps.processor(environment);
  return reconcile(deps, `events:${environment}`, slices, async (from, to, limit, deadline) => {
    const { count, events } = await processor.listEvents(reconciledEventTypes, from, to, limit, { deadline });
    const missingIds = await missingProcessorEvents(
      deps.db,
      events.map(({ id }) => id),
    );
    return { count, missing: events.filter(({ id }) => missingIds.has(id)) };
  });
}

/**
 * Compares the ledger with the processor's own list of balance transactions, independently of events. A transaction
 * that is missing in the ledger becomes an internal event. It is processed like all other events: tried, retried,
 * parked, never dropped, and it never blocks the others. Returns the number of missing transactions.
 */
export async function sweepBalanceTransactions(
  deps: ProcessorEventDeps,
  environment: Environment,
  slices = TRANSACTION_SLICES,
): Promise<number> {
  const processor = deps.processor(environment);
  return reconcile(deps, `balance_transactions:${environment}`, slices, async (from, to, limit, deadline) => {
    const listed = await processor.listBalanceTransactions(from, to, limit, { deadline });
    const ofPayments = listed.filter(({ type }) => !PLATFORM_TYPES.test(type));
    const missingIds = await missingMovements(
      deps.db,
      ofPayments.map(({ id }) => movementId(id)),
    );
    const missing = ofPayments
      .filter(({ id }) => missingIds.has(movementId(id)))
      .map(({ id }) => ({ id: `sweep_${id}`, type: TRANSACTION_MISSING, environment, objectId: id }));
    return { count: listed.length, missing };
  });
}

/**
 * Compares the subscriptions with the processor's own list. One that begins with a trial moves no money at first, so if
 * all its events were lost, only this list shows it. Returns the number of missing subscriptions.
 */
export async function sweepSubscriptions(deps: ProcessorEventDeps, environment: Environment, slices = TRANSACTION_SLICES): Promise<number> {
  const processor = deps.processor(environment);
  return reconcile(deps, `subscriptions:${environment}`, slices, async (from, to, limit, deadline) => {
    const listed = await processor.listSubscriptions(from, to, limit, { deadline });
    const missingIds = await missingSubscriptions(deps.db, listed);
    const missing = [...missingIds].map((id) => ({ id: `sweep_${id}`, type: SUBSCRIPTION_MISSING, environment, objectId: id }));
    return { count: listed.length, missing };
  });
}

/**
 * The types of transactions between the processor and us. They are not movements of a partner. All other types,
 * including future ones, are processed. A transaction that belongs to no payment is recorded without a type.
 */
const PLATFORM_TYPES =
  /^(payout|transfer|topup|reserve|payment_network_reserve|inbound_transfer|obligation|issuing|climate_order|advance|anticipation_repayment|application_fee|connect_collection_transfer|contribution|stripe|tax|fee_credit)(_|$|d_)/;
