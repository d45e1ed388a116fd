import { sql } from "drizzle-orm";
import * as z from "zod";
import { type DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import type { Environment } from "../core/environment.ts";
import { type Database, type ReturnedRows, rowsOfKind, type Statement } from "../db/client.ts";
import { upsertDispute } from "../disputes/store.ts";
import type { Source } from "../processor/facts.ts";
import { deleteSubscriptions } from "../subscriptions/store.ts";
import { checkoutCompleted } from "../webhooks/outbox/events/checkout-completed.ts";
import { checkoutExpired } from "../webhooks/outbox/events/checkout-expired.ts";
import { isRecorded, type OutboxDeps, recordEvent, runWithOutbox } from "../webhooks/outbox/store.ts";
import type { Attribution } from "./attribution.ts";
import { type LedgerDeps, lookUp, type Refresh } from "./look-up.ts";
import type { Movement } from "./movement.ts";
import { isMovementCurrent, isUnreported, upsertMovement } from "./movements/rows.ts";
import { deleteMovements } from "./movements/store.ts";
import { linkPaymentRows, orderRows } from "./order-rows.ts";
import { partnerEventsOf } from "./partner-events.ts";
import { isSnapshotErased, saveSnapshot, snapshotKey } from "./snapshots.ts";
import { subscriptionRows } from "./subscription-rows.ts";

/** The maximum number of repeats of a refresh that a later one overtook during its storage. */
const MAX_REPEATS = 3;

/**
 * Stores refreshes: first the objects of the snapshots, then movements, subscriptions and partner events, each in the
 * database of its owner, and last the statements of `end` in the database where the events wait, in one batch with the
 * rows that belong there. After an interruption it may be repeated. There is no movement until the processor has
 * computed a balance transaction. Returns the rows that the statements returned.
 */
export async function recordRefreshes(
  deps: LedgerDeps,
  refreshed: readonly Refresh[],
  end: (now: number) => readonly Statement[] = () => [],
  repeats = 0,
): Promise<ReturnedRows> {
  let found = refreshed;
  for (const [index, look] of found.entries()) if (await saveSnapshots(deps, look)) found = found.with(index, withoutPersons(look));
  for (const look of found) await pullPayment(deps, look);
  const now = deps.clock.now();
  const returned: unknown[] = [];
  for (const databaseName of new Set(found.map(({ attribution }) => attribution.databaseName)).difference(new Set([deps.databaseName]))) {
    returned.push(...(await storeIn(deps.inDatabase(databaseName), found, now)));
  }
  returned.push(...(await storeIn(deps, found, now, [...found.flatMap((look) => forget(deps, look)), ...end(now)])));
  for (const look of found) logProblems(deps, look);
  if (repeats < MAX_REPEATS) {
    const own = new Set(found.map(({ asOf }) => asOf));
    for (const look of found) {
      // A later refresh that found no change wrote no snapshot, or its clock was ahead. Only another look-up shows the
      // current state.
      const later = overtakenAt(look, returned, own);
      if (later === null) continue;
      await recordRefreshes(deps, [await lookUp(deps, look.environment, look.source, later + 1)], undefined, repeats + 1);
    }
  }
  return returned;
}

/**
 * Changes of a payment from before its partner was split are stored in the partner's current cell, together with the
 * payment.
 */
async function pullPayment(deps: LedgerDeps, { attribution, facts }: Refresh): Promise<void> {
  const { paymentIntentId, paymentLinkId } = facts;
  if (attribution.partnerId === null) return;
  const { partnerId, databaseName, held } = attribution;
  if (paymentLinkId !== null) {
    // Where its payments are counted, a link that is for so many has to be too.
    const earlier = (await deps.locationOf(partnerId))?.earlier ?? [];
    const isLimited = { where: "id = ?2 AND max_payments IS NOT NULL", parameters: [paymentLinkId] };
    await deps.pullRows({ from: earlier.map(({ cell }) => cell), to: databaseName }, "payment_links", partnerId, isLimited);
  }
  if (paymentIntentId === null) return;
  const cells = { from: held, to: databaseName };
  await deps.pullRows(cells, "movements", partnerId, { where: "payment_intent_id = ?2", parameters: [paymentIntentId] });
  await deps.pullRows(cells, "orders", partnerId, { where: "id = ?2", parameters: [paymentIntentId] });
}

/** Stores the snapshot objects of a refresh, each unless a later refresh is known. Returns whether the payment is erased. */
async function saveSnapshots(deps: LedgerDeps, { environment, asOf, facts, latest }: Refresh): Promise<boolean> {
  const { paymentIntentId, subscriptionId, subscription, freeCheckout, objects } = facts;
  const isLate = (seen: number | null) => seen !== null && seen > asOf;
  // A renewal has the buyer of its subscription: if the subscription is erased, so are its payments.
  const isOfErased = subscriptionId !== null && (await isSnapshotErased(deps, snapshotKey(environment, subscriptionId)));
  let isErased = isOfErased;
  if (paymentIntentId !== null) {
    const key = snapshotKey(environment, paymentIntentId);
    if (isLate(latest.payment)) isErased ||= await isSnapshotErased(deps, key);
    else ({ isErased } = await saveSnapshot(deps, key, objects, asOf, isOfErased));
  }
  if (freeCheckout !== null) isErased ||= await isSnapshotErased(deps, snapshotKey(environment, freeCheckout.id));
  if (subscription !== null && !isLate(latest.subscription)) {
    await saveSnapshot(deps, snapshotKey(environment, subscription.id), [subscription.object], asOf);
  }
  return isErased;
}

const withoutDescription = <Of extends Movement>(movement: Of) => ({ ...movement, description: null });

/** A refresh of an erased payment: the processor names its buyer, and its free text may. */
function withoutPersons({ movements, unbookedRefund, facts, ...look }: Refresh): Refresh {
  return {
    ...look,
    facts: { ...facts, buyer: null, charge: facts.charge && { ...facts.charge, method: null, receiptUrl: null } },
    movements: movements.map(withoutDescription),
    unbookedRefund: unbookedRefund && withoutDescription(unbookedRefund),
  };
}

/** Stores the refreshes that belong in one database, in one transaction with other statements. */
async function storeIn(
  deps: OutboxDeps & { readonly databaseName: DatabaseName },
  found: readonly Refresh[],
  now: number,
  others: readonly Statement[] = [],
): Promise<ReturnedRows> {
  const own = found.filter(({ attribution }) => attribution.databaseName === deps.databaseName);
  const rows = await Promise.all(own.map((look) => rowsOf(deps.db, look, now)));
  return runWithOutbox(deps, [...rows.flat(), ...others]);
}

/**
 * Rows that the directory kept because their owner was unknown are deleted there once a cell has them. Later rows stay:
 * the sweep of the directory looks them up again.
 */
function forget({ databaseName, db }: LedgerDeps, { asOf, attribution, movements, facts }: Refresh): readonly Statement[] {
  if (databaseName !== DIRECTORY || attribution.databaseName === DIRECTORY) return [];
  const ids = movements.map(({ id }) => id);
  const subscriptionIds = facts.subscription === null ? [] : [facts.subscription.id];
  return [deleteMovements(db, ids, asOf), deleteSubscriptions(db, subscriptionIds, asOf)];
}

async function rowsOf(db: Database, look: Refresh, now: number): Promise<Statement[]> {
  const { environment, asOf, facts, attribution, movements, unbookedRefund } = look;
  const caused = await partnerEventsOf(attribution, [...movements, ...(unbookedRefund === null ? [] : [unbookedRefund])], facts);
  const { subscription } = facts;
  const ofCheckout = await checkoutEventOf(environment, facts, attribution);
  const eventsOf = (movement: Movement) =>
    caused.filter((one) => one.movement === movement).map(({ event }) => ({ name: event.kind, isRecorded: isRecorded(event) }));
  return [
    ...(subscription === null ? [] : await subscriptionRows(db, { ...facts, facts: subscription, environment, attribution, asOf, now })),
    // Events come before the movement: the stored movement shows which events are new. The new row then lists them.
    ...caused.map(({ event, movement }) =>
      recordEvent(db, event, now, sql`${isMovementCurrent(movement, asOf)} AND ${isUnreported(movement, event.kind)}`),
    ),
    ...movements.flatMap((movement) => upsertMovement(db, movement, { asOf, now }, eventsOf(movement))),
    ...disputeRows(db, look),
    // Its money is that of the movements, so it comes after them.
    ...orderRows(db, look),
    ...linkPaymentRows(db, look, now),
    ...(ofCheckout === null ? [] : [recordEvent(db, ofCheckout, now)]),
  ];
}

/** The row of a dispute with a known owner. */
function disputeRows(db: Database, { environment, asOf, facts, attribution: { partnerId } }: Refresh): Statement[] {
  const { dispute, paymentIntentId, clientReferenceId } = facts;
  if (dispute === null || partnerId === null) return [];
  return [upsertDispute(db, { facts: dispute, partnerId, environment, paymentIntentId, clientReferenceId, asOf })];
}

/** The event of a checkout without a payment, or of one that ended unpaid; null for anything else, and without a known owner. */
async function checkoutEventOf(environment: Environment, facts: Refresh["facts"], { partnerId, ...owner }: Attribution) {
  const { freeCheckout, expiredCheckout, paymentLinkId, clientReferenceId } = facts;
  if (partnerId === null || !("idCode" in owner)) return null;
  const common = { partnerId, environment, paymentLinkId, clientReferenceId };
  if (expiredCheckout !== null) {
    const { id: sessionId, ...checkout } = expiredCheckout;
    return checkoutExpired.make(owner.idCode, { ...common, sessionId, ...checkout });
  }
  if (freeCheckout === null) return null;
  const { id: sessionId, ...checkout } = freeCheckout;
  return checkoutCompleted.make(owner.idCode, { ...common, sessionId, ...checkout });
}

const seenSchema = z.object({ seen: z.string(), seenAt: z.int() });

/**
 * When the latest refresh saw the rows that this one stored, if that was later; null if this one is the latest.
 * Refreshes that were stored together, at the times `own`, do not overtake one another, because they were written in
 * order.
 */
function overtakenAt({ asOf, latest, movements, facts }: Refresh, returned: ReturnedRows, own: ReadonlySet<number>): number | null {
  const ids = new Set([...movements.map(({ id }) => id), facts.subscription?.id]);
  const stored = rowsOfKind(returned, seenSchema).flatMap(({ seen, seenAt }) => (ids.has(seen) && !own.has(seenAt) ? [seenAt] : []));
  const newest = Math.max(...stored, latest.payment ?? 0, facts.subscription === null ? 0 : (latest.subscription ?? 0));
  return newest > asOf ? newest : null;
}

function logProblems({ log }: LedgerDeps, { source, facts, attribution, movements }: Refresh): void {
  if (facts.subscriptionId !== null && facts.subscription === null) {
    log.error("subscription not readable", { source: source.id, subscription: facts.subscriptionId });
  }
  const { why } = attribution;
  if (why === null) return;
  if (movements.length > 0) log.error("movement without a partner", { source: source.id, movement: movements[0]?.id, why });
  else if (facts.freeCheckout !== null) log.error("checkout without a partner", { checkout: facts.freeCheckout.id, why });
  else if (facts.dispute !== null) log.error("dispute without a partner", { dispute: facts.dispute.id, why });
  else if (facts.subscription !== null) log.error("subscription without a partner", { subscription: facts.subscription.id, why });
}

/** {@link lookUp} and {@link recordRefreshes}: records the current state, even if it is early. */
export async function refresh(deps: LedgerDeps, environment: Environment, source: Source): Promise<Refresh> {
  const found = await lookUp(deps, environment, source);
  await recordRefreshes(deps, [found]);
  return found;
}
