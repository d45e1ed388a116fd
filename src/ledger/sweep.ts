import { HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { overdueProcessorEvents } from "./events-store.ts";
import { movementId } from "./movement.ts";
import { type ProcessorEventTools, receiveProcessorEvents } from "./processor-events.ts";
import { findSweep, missingMovements, recordSweep } from "./store.ts";

/** Time that the queue gets before the sweep takes over. */
const QUEUE_GRACE = 30 * SECOND;
const MOST_EVENTS = 500;
/** How far back the first comparison looks, and by how much each one overlaps the one before. */
const FIRST_LOOK_BACK = 24 * HOUR;
const OVERLAP = 5 * MINUTE;
/** The youngest transactions are left to their events, so that the sweep only ever finds what these missed. */
const EVENT_GRACE = 1 * MINUTE;
const SWEEP_BUDGET = 60 * SECOND;
/** The comparison goes in slices of time, so that it gets on however much there is: smaller ones where a slice is full. */
const SLICES = { longest: 6 * HOUR, shortest: 1 * MINUTE, full: 2_000 };

/** Wakes every stored event that a lost or dead queue message left lying. Gives how many. */
export async function sweepProcessorEvents(tools: ProcessorEventTools): Promise<number> {
  const overdue = await overdueProcessorEvents(tools.db, tools.clock.now() - QUEUE_GRACE, MOST_EVENTS);
  await tools.wakeProcessorEvents.send(overdue);
  return overdue.length;
}

/**
 * Compares the ledger with the processor's own list of balance transactions. A payment that no event told of becomes
 * an event of ours, and takes the same way as the others: tried, retried, parked, never dropped, and never in the
 * way of the rest. Gives how many it found.
 */
export async function sweepBalanceTransactions(tools: ProcessorEventTools, environment: Environment, slices = SLICES): Promise<number> {
  const now = tools.clock.now();
  const name = `balance_transactions:${environment}`;
  const end = now - EVENT_GRACE;
  const deadline = new Deadline(tools.clock, SWEEP_BUDGET);
  let from = ((await findSweep(tools.db, name))?.cursor ?? now - FIRST_LOOK_BACK) - OVERLAP;
  let slice = Math.min(slices.longest, end - from);
  let found = 0;
  while (from < end && deadline.remaining() > 0) {
    const to = Math.min(from + slice, end);
    const limit = slice > slices.shortest ? slices.full : Number.POSITIVE_INFINITY;
    const listed = await tools.processor(environment).listBalanceTransactions(from, to, limit, { deadline });
    if (listed.length >= limit) {
      slice /= 2;
      continue;
    }
    const payments = listed.flatMap(({ id, type, sourceId }) => (isPayment(type) && sourceId !== null ? [{ id, sourceId }] : []));
    const missing = await missingMovements(
      tools.db,
      payments.map(({ id }) => movementId(id)),
    );
    const gaps = payments.filter(({ id }) => missing.has(movementId(id)));
    const asEvents = gaps.map(({ id, sourceId }) => ({ id: `sweep_${id}`, type: "charge.updated", environment, objectId: sourceId }));
    const fresh = await receiveProcessorEvents(tools, asEvents);
    await recordSweep(tools.db, name, to, fresh, now);
    found += fresh;
    from = to;
  }
  return found;
}

function isPayment(type: string): boolean {
  return type === "charge" || type === "payment";
}
