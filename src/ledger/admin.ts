import { auditRow, noteOwner } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import type { MessageQueue } from "../core/message-queue.ts";
import { type Counted, inAll } from "../db/aggregates.ts";
import { type AllDatabases, askAllDatabases } from "../db/all-databases.ts";
import { type Database, type Directory, runBatch } from "../db/client.ts";
import type { Source } from "../processor/facts.ts";
import type { LedgerDeps } from "./look-up.ts";
import { transactionIdOf } from "./movement.ts";
import { partnerOfPayment } from "./movements/store.ts";
import { countUnattributed, unattributedMovements, unattributedOfPayment } from "./movements/unattributed.ts";
import { allReconciliations } from "./reconciliation-store.ts";
import { refresh } from "./record-refreshes.ts";
import { countEnded, hasEnded, newestEnded, requeueEnded } from "./refreshes-store.ts";
import { sourceOfId } from "./sources.ts";

/** Maximum number of entries shown per list. The counts include all entries. */
const PAGE_LIMIT = 50;

/**
 * The ledger data that needs an operator: movements without a known owner, parked refreshes, and, for each sweep, its
 * cursor and the number of entries that no event had reported. One D1 round trip per database.
 */
export async function ledgerStatus(deps: AllDatabases & { readonly directory: Directory }) {
  const [reconciliations, found] = await Promise.all([allReconciliations(deps.directory), askAllDatabases(deps, waitingIn)]);
  const movements = found.flatMap((here) => here.movements).toSorted((left, right) => right.transactionDate - left.transactionDate);
  const refreshes = found.flatMap((here) => here.refreshes).toSorted((left, right) => right.since - left.since);
  return {
    unattributed: { ...inAll(found.map((here) => here.unattributed)), newest: movements.slice(0, PAGE_LIMIT) },
    parked: { ...inAll(found.map((here) => here.parked)), newest: refreshes.slice(0, PAGE_LIMIT) },
    gone: inAll(found.map((here) => here.gone)),
    reconciliations,
  };
}

/** The rows of one database that wait for an operator. One D1 round trip. */
async function waitingIn(db: Database) {
  const [[unattributed = NONE], movements, [parked = NONE], refreshes, [gone = NONE]] = await db.batch([
    countUnattributed(db),
    unattributedMovements(db, undefined, PAGE_LIMIT),
    countEnded(db, "parked"),
    newestEnded(db, "parked", undefined, PAGE_LIMIT),
    countEnded(db, "gone"),
  ]);
  return { unattributed, movements, parked, refreshes, gone };
}

const NONE: Counted = { count: 0, oldest: null };

export interface RetryDeps extends AllDatabases {
  readonly clock: Clock;
  readonly inDatabase: (databaseName: DatabaseName) => { readonly db: Database; readonly processorEventQueue: MessageQueue };
}

/** Restarts the attempts at a payment or subscription that is parked or gone. False if there is none with this id. */
export async function retryParked(deps: RetryDeps, id: string, actor: Actor): Promise<boolean> {
  const now = deps.clock.now();
  let isRetried = false;
  for (const { db, processorEventQueue } of deps.databaseNames.map((databaseName) => deps.inDatabase(databaseName))) {
    const entry = { actor, action: "ledger.retry" as const, target: id, partnerId: partnerOfPayment(id) };
    const change = auditRow(db, entry, now, hasEnded(id));
    const [, moved] = await db.batch([change, requeueEnded(db, id, now)]);
    if (moved.length === 0) continue;
    await processorEventQueue.send([id]);
    isRetried = true;
  }
  return isRetried;
}

/** Maximum number of other movements of a payment that are refreshed with it. */
const MAX_SIBLINGS = 20;

/** A refreshed object, and its owner. */
export interface RefreshedObject {
  readonly id: string;
  readonly partnerId: string | null;
}

/**
 * Refreshes an object of the processor, because the owner of a payment or subscription may be known by now. The other
 * movements of the payment without a partner are refreshed too, so that refunds and disputes are attributed and their
 * events are sent. Returns the found objects; null if objects of this kind are not recorded. @throws ServiceFailure as
 * the processor does.
 */
export async function refreshObject(
  deps: LedgerDeps & Pick<AllDatabases, "databaseNames"> & { readonly databaseName: typeof DIRECTORY },
  environment: Environment,
  id: string,
  actor: Actor,
): Promise<readonly RefreshedObject[] | null> {
  const source = sourceOfId(id);
  if (source === null) return null;
  const change = { actor, action: "ledger.refresh" as const, target: id, after: { environment } };
  await runBatch(deps.db, [auditRow(deps.db, change, deps.clock.now())]);
  const found = new Map<string, RefreshedObject>();
  const look = async (wanted: Source) => {
    const { movements, facts, attribution } = await refresh(deps, environment, wanted);
    for (const movement of movements) found.set(movement.id, movement);
    const isOnlySubscription = movements.length === 0 && facts.subscription !== null;
    if (isOnlySubscription) found.set(facts.subscription.id, { id: facts.subscription.id, partnerId: attribution.partnerId });
    if (facts.freeCheckout !== null) found.set(facts.freeCheckout.id, { id: facts.freeCheckout.id, partnerId: attribution.partnerId });
    return facts.paymentIntentId;
  };
  const paymentIntentId = await look(source);
  const ofPayment = (db: Database) => unattributedOfPayment(db, paymentIntentId ?? "", MAX_SIBLINGS);
  const siblings = paymentIntentId === null ? [] : await askAllDatabases(deps, ofPayment);
  for (const sibling of siblings.flat().filter((movement) => !found.has(movement.id))) {
    await look({ kind: "balance_transaction", id: transactionIdOf(sibling.id) });
  }
  const owner = [...found.values()].map(({ partnerId }) => partnerId).find((one) => one !== null);
  if (owner !== undefined && owner !== null) await noteOwner(deps.db, change, owner);
  return [...found.values()].map((one) => ({ id: one.id, partnerId: one.partnerId }));
}
