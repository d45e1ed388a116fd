import { HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import type { ProcessorEvent } from "../processor/facts.ts";
import { missingSubscriptions } from "../subscriptions/store.ts";
import { missingProcessorEvents, overdueProcessorEvents } from "./events-store.ts";
import { movementId } from "./movement.ts";
import { type ProcessorEventDeps, receiveProcessorEvents } from "./processor-events.ts";
import { findReconciliation, recordReconciliation } from "./reconciliation-store.ts";
import { missingMovements } from "./store.ts";
import { reconciledEventTypes, SUBSCRIPTION_MISSING, TRANSACTION_MISSING } from "./subjects.ts";

/** Grace period for the queue, before the sweep takes over. */
const QUEUE_GRACE = 30 * SECOND;
const MAX_EVENTS = 500;
/** Timeout for all calls of one reconciliation. It is well below one minute, after which the next one starts. */
const SWEEP_BUDGET = 40 * SECOND;

/**
 * The passes of a reconciliation. The first pass skips the last minute, because the events of that minute may still
 * arrive: so it only finds what was missed. Consecutive runs overlap by one minute. The second pass runs one day later,
 * for entries that the processor listed only after the first pass had compared their time.
 */
const PASSES = [
  { suffix: "", grace: 1 * MINUTE, firstLookback: 24 * HOUR, overlap: 1 * MINUTE, every: 0 },
  { suffix: ":day_later", grace: 24 * HOUR, firstLookback: 25 * HOUR, overlap: 0, every: 1 * HOUR },
] as const;

/**
 * A reconciliation compares one time slice after another, so that it makes progress however much data there is. If a
 * slice was less than half full, the next slice is twice as long. If a slice was full, it is halved and compared again.
 * The shortest slice has no limit: it is read to its end.
 */
interface Slices {
  readonly first: number;
  readonly longest: number;
  readonly shortest: number;
  readonly full: number;
}
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
    const listed = await processor.listEvents(reconciledEventTypes, from, to, limit, { deadline });
    const missingIds = await missingProcessorEvents(
      deps.db,
      listed.map(({ id }) => id),
    );
    return { count: listed.length, missing: listed.filter(({ id }) => missingIds.has(id)) };
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

type ReconcileSlice = (
  from: number,
  to: number,
  limit: number,
  deadline: Deadline,
) => Promise<{ readonly count: number; readonly missing: readonly ProcessorEvent[] }>;

/** Runs each pass from its stored cursor, slice by slice, until its end or the deadline. Returns the number of gaps. */
async function reconcile(deps: ProcessorEventDeps, name: string, slices: Slices, reconcileSlice: ReconcileSlice): Promise<number> {
  const deadline = new Deadline(deps.clock, SWEEP_BUDGET);
  let found = 0;
  let hasNoProgress = true;
  for (const { suffix, grace, firstLookback, overlap, every } of PASSES) {
    const now = deps.clock.now();
    const end = now - grace;
    let from = ((await findReconciliation(deps.db, name + suffix))?.comparedUntil ?? now - firstLookback) - overlap;
    if (end - from < every) continue;
    let slice = slices.first;
    while (from < end) {
      const to = Math.min(from + slice, end);
      const limit = slice > slices.shortest ? slices.full : Number.POSITIVE_INFINITY;
      const compared = await nullIfPastDeadline(deadline, reconcileSlice(from, to, limit, deadline));
      if (compared === null && hasNoProgress) throw new Error(`${name}${suffix} did not finish a single slice before its deadline`);
      if (compared === null) return found;
      if (compared.count >= limit) {
        slice = Math.max(slice / 2, slices.shortest);
        continue;
      }
      const fresh = await receiveProcessorEvents(deps, compared.missing);
      await recordReconciliation(deps.db, name + suffix, to, fresh, now);
      found += fresh;
      from = to;
      hasNoProgress = false;
      if (compared.count < slices.full / 2) slice = Math.min(slice * 2, slices.longest);
    }
  }
  return found;
}

/** Null if the deadline has passed. This is not a failure: the next run resumes at the same position. */
async function nullIfPastDeadline<Result>(deadline: Deadline, asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (thrown) {
    const isLate = thrown instanceof ServiceFailure && thrown.error.kind === "upstream_timeout" && deadline.remaining() < SECOND;
    if (isLate) return null;
    throw thrown;
  }
}
