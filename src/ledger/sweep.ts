import { HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { describeThrown } from "../core/log.ts";
import type { ProcessorEventTools } from "./processor-events.ts";
import { recordCharge } from "./record-charge.ts";
import { findSweep, missingMovements, overdueProcessorEvents, recordSweep } from "./store.ts";

/** Time that the queue gets before the sweep takes over. */
const QUEUE_GRACE = 30 * SECOND;
const MOST_EVENTS = 500;
/** How far back the first comparison looks, and by how much each one overlaps the one before. */
const FIRST_LOOK_BACK = 24 * HOUR;
const OVERLAP = 30 * MINUTE;
/** The youngest transactions are left to their events, so that the sweep only ever finds what these missed. */
const EVENT_GRACE = 1 * MINUTE;
const MOST_TRANSACTIONS = 1_000;
const SWEEP_BUDGET = 60 * SECOND;

/** Wakes every stored event that a lost or dead queue message left lying. Gives how many. */
export async function sweepProcessorEvents(tools: ProcessorEventTools): Promise<number> {
  const overdue = await overdueProcessorEvents(tools.db, tools.clock.now() - QUEUE_GRACE, MOST_EVENTS);
  await tools.wakeProcessorEvents.send(overdue);
  return overdue.length;
}

/**
 * Compares the ledger with the processor's own list of balance transactions and records the payments that no event
 * told of. Gives how many it found. The cursor moves only when everything found has been recorded.
 */
export async function sweepBalanceTransactions(tools: ProcessorEventTools, environment: Environment): Promise<number> {
  const now = tools.clock.now();
  const name = `balance_transactions:${environment}`;
  const from = ((await findSweep(tools.db, name))?.cursor ?? now - FIRST_LOOK_BACK) - OVERLAP;
  const to = now - EVENT_GRACE;
  const deadline = new Deadline(tools.clock, SWEEP_BUDGET);
  const listed = await tools.processor(environment).listBalanceTransactions(from, to, MOST_TRANSACTIONS, { deadline });
  const payments = listed.filter(({ type, sourceId }) => (type === "charge" || type === "payment") && sourceId !== null);
  const missing = await missingMovements(
    tools.db,
    payments.map(({ id }) => `processor:${id}`),
  );
  let complete = listed.length < MOST_TRANSACTIONS;
  for (const { id, sourceId } of payments) {
    if (sourceId === null || !missing.has(`processor:${id}`)) continue;
    try {
      await recordCharge(tools, environment, sourceId, () => []);
    } catch (thrown) {
      complete = false;
      tools.log.error("sweep could not record a charge", { transaction: id, ...describeThrown(thrown) });
    }
  }
  if (missing.size > 0) tools.log.info("sweep found payments that no event told of", { environment, found: missing.size });
  if (complete) await recordSweep(tools.db, name, to, missing.size, now);
  return missing.size;
}
