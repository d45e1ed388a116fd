import { HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import type { ListedEvent } from "../processor/events.ts";
import { missingProcessorEvents, overdueProcessorEvents } from "./events-store.ts";
import { movementId } from "./movement.ts";
import { type ProcessorEventTools, receiveFoundEvents } from "./processor-events.ts";
import { findSweep, missingMovements, recordSweep } from "./store.ts";
import { neededEventTypes, TRANSACTION_FOUND } from "./subjects.ts";

/** Time that the queue gets before the sweep takes over. */
const QUEUE_GRACE = 30 * SECOND;
const MOST_EVENTS = 500;
/** One comparison's calls together, well below the minute after which the next begins. */
const SWEEP_BUDGET = 40 * SECOND;

/**
 * When everything is compared: the youngest are left to their events, so that a sweep only ever finds what was missed,
 * and overlap a little. And once more a day later, for what the processor listed only after its moment had been compared.
 */
const PASSES = [
  { suffix: "", grace: 1 * MINUTE, firstLookBack: 24 * HOUR, overlap: 1 * MINUTE, every: 0 },
  { suffix: ":day_later", grace: 24 * HOUR, firstLookBack: 25 * HOUR, overlap: 0, every: 1 * HOUR },
] as const;

/**
 * A comparison goes in slices of time, so that it gets on however much there is: twice as long where a slice was less
 * than half full, half as long where it was full, but for the shortest, which is read to its end.
 */
interface Slices {
  readonly first: number;
  readonly longest: number;
  readonly shortest: number;
  readonly full: number;
}
/** An event is some kilobytes, a balance transaction is kept as two words. */
const EVENT_SLICES: Slices = { first: 5 * MINUTE, longest: 6 * HOUR, shortest: 10 * SECOND, full: 500 };
const TRANSACTION_SLICES: Slices = { first: 5 * MINUTE, longest: 6 * HOUR, shortest: 30 * SECOND, full: 2_000 };

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
    const ofPayments = listed.filter(({ type }) => !OUR_OWN.test(type));
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

/**
 * The types of transactions that are between the processor and us, and no movement of a partner's. Whatever else there
 * is, or comes to be, is looked at, and kept without a type where it belongs to no payment.
 */
const OUR_OWN =
  /^(payout|transfer|topup|reserve|payment_network_reserve|inbound_transfer|obligation|issuing|climate_order|advance|anticipation_repayment|application_fee|connect_collection_transfer|contribution|stripe|tax|fee_credit)(_|$|d_)/;

type Comparison = (
  from: number,
  to: number,
  limit: number,
  deadline: Deadline,
) => Promise<{ readonly count: number; readonly gaps: readonly ListedEvent[] }>;

/** Compares in each pass from where it came to, slice by slice, until its end or until the time is up. Gives how many gaps it found. */
async function compare(tools: ProcessorEventTools, name: string, slices: Slices, comparison: Comparison): Promise<number> {
  const deadline = new Deadline(tools.clock, SWEEP_BUDGET);
  let found = 0;
  let isStuck = true;
  for (const { suffix, grace, firstLookBack, overlap, every } of PASSES) {
    const now = tools.clock.now();
    const end = now - grace;
    let from = ((await findSweep(tools.db, name + suffix))?.cursor ?? now - firstLookBack) - overlap;
    if (end - from < every) continue;
    let slice = slices.first;
    while (from < end) {
      const to = Math.min(from + slice, end);
      const limit = slice > slices.shortest ? slices.full : Number.POSITIVE_INFINITY;
      const compared = await unlessLate(deadline, comparison(from, to, limit, deadline));
      if (compared === null && isStuck) throw new Error(`${name}${suffix} did not get through one slice in its time`);
      if (compared === null) return found;
      if (compared.count >= limit) {
        slice = Math.max(slice / 2, slices.shortest);
        continue;
      }
      const fresh = await receiveFoundEvents(tools, compared.gaps);
      await recordSweep(tools.db, name + suffix, to, fresh, now);
      found += fresh;
      from = to;
      isStuck = false;
      if (compared.count < slices.full / 2) slice = Math.min(slice * 2, slices.longest);
    }
  }
  return found;
}

/** Null where the time is up: the next run goes on from there, and that is no failure. */
async function unlessLate<Result>(deadline: Deadline, asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (thrown) {
    const isLate = thrown instanceof ServiceFailure && thrown.error.kind === "upstream_timeout" && deadline.remaining() < SECOND;
    if (isLate) return null;
    throw thrown;
  }
}
