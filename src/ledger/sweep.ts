import { HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import type { ListedEvent } from "../processor/events.ts";
import { missingProcessorEvents, overdueProcessorEvents } from "./events-store.ts";
import { movementId } from "./movement.ts";
import { type ProcessorEventTools, receiveFoundEvents } from "./processor-events.ts";
import { findSweep, missingMovements, recordSweep } from "./store.ts";
import { neededEventTypes, TRANSACTION_FOUND } from "./subjects.ts";

/** Time that the queue gets before the sweep takes over. */
const QUEUE_GRACE = 30 * SECOND;
const MOST_EVENTS = 500;
/** How far back the first comparison looks, and by how much each one overlaps the one before. */
const FIRST_LOOK_BACK = 24 * HOUR;
const OVERLAP = 5 * MINUTE;
/** The youngest are left to their events, so that a sweep only ever finds what was missed. */
const EVENT_GRACE = 1 * MINUTE;
const SWEEP_BUDGET = 60 * SECOND;

/** A comparison goes in slices of time, so that it gets on however much there is: smaller ones where a slice is full. */
interface Slices {
  readonly longest: number;
  readonly shortest: number;
  readonly full: number;
}
/** An event is some kilobytes, a balance transaction is kept as two words. */
const EVENT_SLICES: Slices = { longest: 6 * HOUR, shortest: 10 * SECOND, full: 500 };
const TRANSACTION_SLICES: Slices = { longest: 6 * HOUR, shortest: 1 * MINUTE, full: 2_000 };

/** Wakes every stored event that a lost or dead queue message left lying. Gives how many. */
export async function sweepProcessorEvents(tools: ProcessorEventTools): Promise<number> {
  const overdue = await overdueProcessorEvents(tools.db, tools.clock.now() - QUEUE_GRACE, MOST_EVENTS);
  await tools.wakeProcessorEvents.send(overdue);
  return overdue.length;
}

/**
 * Compares what came with the processor's own list of events, and takes in what never came: the end of a subscription
 * or of a dispute moves no money, so no other list shows it. Gives how many it found.
 */
export async function sweepMissedEvents(tools: ProcessorEventTools, environment: Environment, slices = EVENT_SLICES): Promise<number> {
  const processor = tools.processor(environment);
  return compare(tools, `events:${environment}`, slices, async (from, to, limit, deadline) => {
    const listed = await processor.listEvents(neededEventTypes, from, to, limit, { deadline });
    const missing = await missingProcessorEvents(
      tools.db,
      listed.map(({ event }) => event.id),
    );
    return { count: listed.length, gaps: listed.filter(({ event }) => missing.has(event.id)) };
  });
}

/**
 * Compares the ledger with the processor's own list of balance transactions, whatever events there were. One that the
 * ledger lacks becomes an event of ours, and takes the same way as the others: tried, retried, parked, never dropped,
 * and never in the way of the rest. Gives how many it found.
 */
export async function sweepBalanceTransactions(
  tools: ProcessorEventTools,
  environment: Environment,
  slices = TRANSACTION_SLICES,
): Promise<number> {
  const processor = tools.processor(environment);
  return compare(tools, `balance_transactions:${environment}`, slices, async (from, to, limit, deadline) => {
    const listed = await processor.listBalanceTransactions(from, to, limit, { deadline });
    const ofPayments = listed.filter(({ type }) => PAYMENT_TRANSACTIONS.has(type));
    const missing = await missingMovements(
      tools.db,
      ofPayments.map(({ id }) => movementId(id)),
    );
    const gaps = ofPayments
      .filter(({ id }) => missing.has(movementId(id)))
      .map(({ id }) => ({ event: { id: `sweep_${id}`, type: TRANSACTION_FOUND, environment, objectId: id }, payload: "{}" }));
    return { count: listed.length, gaps };
  });
}

/** The types of transactions that payments, refunds and disputes are made of; payouts and the platform's own fees are not. */
const PAYMENT_TRANSACTIONS: ReadonlySet<string> = new Set([
  "charge",
  "payment",
  "payment_failure_refund",
  "payment_refund",
  "payment_reversal",
  "refund",
  "refund_failure",
  "adjustment",
]);

type Comparison = (
  from: number,
  to: number,
  limit: number,
  deadline: Deadline,
) => Promise<{ readonly count: number; readonly gaps: readonly ListedEvent[] }>;

/** Compares slice by slice from where the last comparison came to, until now or until its time is up. */
async function compare(tools: ProcessorEventTools, name: string, slices: Slices, comparison: Comparison): Promise<number> {
  const now = tools.clock.now();
  const end = now - EVENT_GRACE;
  const deadline = new Deadline(tools.clock, SWEEP_BUDGET);
  let from = ((await findSweep(tools.db, name))?.cursor ?? now - FIRST_LOOK_BACK) - OVERLAP;
  let slice = Math.min(slices.longest, end - from);
  let found = 0;
  while (from < end && deadline.remaining() > 0) {
    const to = Math.min(from + slice, end);
    const limit = slice > slices.shortest ? slices.full : Number.POSITIVE_INFINITY;
    const { count, gaps } = await comparison(from, to, limit, deadline);
    if (count >= limit) {
      slice /= 2;
      continue;
    }
    const fresh = await receiveFoundEvents(tools, gaps);
    await recordSweep(tools.db, name, to, fresh, now);
    found += fresh;
    from = to;
  }
  return found;
}
