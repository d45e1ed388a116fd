import { HOUR, MINUTE, SECOND } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import type { AllDatabases } from "../db/all-databases.ts";
import type { Database } from "../db/client.ts";
import { isReachable, type Reach } from "../db/reach.ts";
import type { ProcessorEvent } from "../processor/facts.ts";
import type { Processor } from "../processor/processor.ts";
import { missingSubscriptions } from "../subscriptions/store.ts";
import { missingProcessorEvents, SWEEP_PREFIX } from "./events-store.ts";
import { movementId } from "./movement.ts";
import { missingMovements } from "./movements/store.ts";
import { ofPlatform, recordPlatform } from "./platform-transactions.ts";
import { isPlatformType } from "./platform-types.ts";
import { byDatabase, countUnended, type ProcessorEventDeps } from "./processor-events.ts";
import { allOwedComparisons, payOwedComparisons } from "./reconciliation-store.ts";
import { overdueRefreshes } from "./refreshes-store.ts";
import { type ReconcileDeps, reconcileSlices, type Slices } from "./slices.ts";
import { reconciledEventTypes, SUBSCRIPTION_MISSING, TRANSACTION_MISSING } from "./sources.ts";

/** Grace period for the queue, before the sweep takes over. */
const QUEUE_GRACE = 30 * SECOND;
const MAX_REFRESHES = 2_000;
/** A refresh that is overdue by this long counts as failed. */
const DEAD_AFTER = 10 * MINUTE;
/** While it is read, an event takes a few kilobytes. Of the other objects, only short strings are kept. */
const EVENT_SLICES: Slices = { first: 5 * MINUTE, longest: 6 * HOUR, shortest: 10 * SECOND, full: 500 };
const TRANSACTION_SLICES: Slices = { first: 5 * MINUTE, longest: 6 * HOUR, shortest: 30 * SECOND, full: 2_000 };

/**
 * Enqueues refreshes again whose queue message was lost or dead-lettered. A refresh that stays due counts as failed.
 * Returns the number of refreshes.
 */
export async function sweepRefreshes(deps: ProcessorEventDeps): Promise<number> {
  const now = deps.clock.now();
  const deadline = now - DEAD_AFTER;
  const overdue = await overdueRefreshes(deps.db, { until: now - QUEUE_GRACE }, MAX_REFRESHES);
  const dead = overdue.filter(({ nextAttemptAt }) => nextAttemptAt <= deadline);
  // Many that are dead must not hide those whose message was lost just now.
  const isHidden = dead.length === MAX_REFRESHES;
  const lost = isHidden
    ? await overdueRefreshes(deps.db, { after: deadline, until: now - QUEUE_GRACE }, MAX_REFRESHES)
    : overdue.slice(dead.length);
  await deps.processorEventQueue.send(lost.map(({ subject }) => subject));
  await countUnended(deps, dead, deadline);
  return dead.length + lost.length;
}

interface ComparisonDeps extends ReconcileDeps, Pick<AllDatabases, "databaseNames"> {
  processor(environment: Environment): Processor;
}

/**
 * Compares the received events with the processor's own list of events, and stores the missing ones. This is necessary
 * because the end of a subscription or of a dispute moves no money, so no other list shows it. Returns the number of
 * missing events.
 */
export async function sweepMissedEvents(deps: ComparisonDeps, environment: Environment, slices = EVENT_SLICES): Promise<number> {
  const processor = deps.processor(environment);
  return reconcileSlices(deps, `events:${environment}`, slices, async ({ from, to, limit, budget, reach }) => {
    const { count, events } = await processor.listEvents(reconciledEventTypes, from, to, limit, { budget });
    const databaseNames = [...(await byDatabase(deps, events))];
    const missing = await Promise.all(
      databaseNames.map(([databaseName, found]) => reach.ask(databaseName, () => missingEvents(deps.inDatabase(databaseName).db, found))),
    );
    let left = missing.flatMap((found) => found ?? []);
    // An event that names a partner may have arrived before the partner existed here, or where the partner was before it moved.
    for (const databaseName of deps.databaseNames) {
      if (left.length === 0) break;
      const asked = left;
      left = [...((await reach.ask(databaseName, () => missingEvents(deps.inDatabase(databaseName).db, asked))) ?? asked)];
    }
    return { count, missing: left };
  });
}

async function missingEvents(db: Database, events: readonly ProcessorEvent[]): Promise<readonly ProcessorEvent[]> {
  const missingIds = events.length === 0 ? new Set() : await missingProcessorEvents(db, events);
  return events.filter(({ id }) => missingIds.has(id));
}

/**
 * Compares the ledger with the processor's own list of balance transactions, independently of events. A transaction
 * that is missing in the ledger becomes an internal event. It is processed like all other events: tried, retried,
 * parked, never dropped, and it never blocks the others. What is between the processor and us is stored as it is listed. Returns the
 * number of missing transactions.
 */
export async function sweepBalanceTransactions(
  deps: ComparisonDeps,
  environment: Environment,
  slices = TRANSACTION_SLICES,
): Promise<number> {
  const processor = deps.processor(environment);
  return reconcileSlices(deps, `balance_transactions:${environment}`, slices, async ({ from, to, limit, budget, reach }) => {
    const listed = await processor.listBalanceTransactions(from, to, limit, { budget });
    await recordPlatform(deps.directory, environment, ofPlatform(listed), deps.clock.now());
    const ofPayments = listed.filter(({ type }) => !isPlatformType(type));
    const ids = ofPayments.map(({ id }) => movementId(id));
    const missingIds = await missingEverywhere(deps, reach, ids, missingMovements);
    const missing = ofPayments
      .filter(({ id }) => missingIds.has(movementId(id)))
      .map(({ id }) => ({
        id: `${SWEEP_PREFIX}${id}`,
        subject: id,
        type: TRANSACTION_MISSING,
        environment,
        objectId: id,
        partnerId: null,
      }));
    return { count: listed.length, missing };
  });
}

/**
 * Compares the subscriptions with the processor's own list. One that begins with a trial moves no money at first, so if
 * all its events were lost, only this list shows it. Returns the number of missing subscriptions.
 */
export async function sweepSubscriptions(deps: ComparisonDeps, environment: Environment, slices = TRANSACTION_SLICES): Promise<number> {
  const processor = deps.processor(environment);
  return reconcileSlices(deps, `subscriptions:${environment}`, slices, async ({ from, to, limit, budget, reach }) => {
    const listed = await processor.listSubscriptions(from, to, limit, { budget });
    const missingIds = await missingEverywhere(deps, reach, listed, missingSubscriptions);
    const missing = [...missingIds].map((id) => ({
      id: `${SWEEP_PREFIX}${id}`,
      subject: id,
      type: SUBSCRIPTION_MISSING,
      environment,
      objectId: id,
      partnerId: null,
    }));
    return { count: listed.length, missing };
  });
}

/**
 * The ids that neither the directory nor any cell has: an id alone does not show its owner. While a cell is
 * unreachable, it may have any of them, so none is missing yet.
 */
async function missingEverywhere(
  { databaseNames, inDatabase }: ComparisonDeps,
  reach: Reach,
  ids: readonly string[],
  missingIn: (db: Database, ids: readonly string[]) => Promise<Set<string>>,
): Promise<ReadonlySet<string>> {
  // The directory comes first: rows move from the directory to a cell. When nothing is missing any more, no other cell
  // is asked.
  let missing: ReadonlySet<string> = new Set(ids);
  for (const databaseName of databaseNames) {
    if (missing.size === 0) break;
    const missingThere = await reach.ask(databaseName, () => missingIn(inDatabase(databaseName).db, ids));
    if (missingThere !== null) missing = missing.intersection(missingThere);
  }
  return reach.lost.size === 0 ? missing : new Set();
}

/**
 * Sets the comparisons back for cells that were unreachable and answer again, so that the entries in between are
 * compared with them. Returns the number of cells.
 */
export async function sweepOwedComparisons({ directory, inDatabase, cells }: ComparisonDeps): Promise<number> {
  let paid = 0;
  for (const owed of await allOwedComparisons(directory)) {
    const cell = cells.find((code) => code === owed.cell);
    if (cell === undefined || !(await isReachable(inDatabase(cell).db))) continue;
    await payOwedComparisons(directory, owed);
    paid += 1;
  }
  return paid;
}
