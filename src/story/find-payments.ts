import { type Environment, environments } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { askAllDatabases } from "../db/all-databases.ts";
import { spellingsOf } from "../ledger/erasure-subject.ts";
import {
  type KnownPayment,
  paymentsById,
  paymentsByReference,
  paymentsOfTransaction as recordedOfTransaction,
} from "../ledger/movements/known-payments.ts";
import { processorReportsOf } from "../ledger/processor-reports.ts";
import { erasedAmong } from "../ledger/refill-snapshots.ts";
import { snapshotKey } from "../ledger/snapshots.ts";
import { sourceOfId } from "../ledger/sources.ts";
import { ordersWithEmail } from "../orders/list.ts";
import { allLocations } from "../partners/location-store.ts";
import { partnerIdIn } from "../processor/attribution-metadata.ts";
import type { PaymentFacts, Source } from "../processor/facts.ts";
import { findSubscription } from "../subscriptions/list-subscriptions.ts";
import { eventsOfCheckouts } from "../webhooks/admin/free-checkouts.ts";
import { checkoutEventId } from "../webhooks/outbox/events/checkout-completed.ts";
import { eventsById, viewEvents } from "./find-others.ts";
import { type FindDeps, type Found, inEachCell, MAX_PAYMENTS, NOTHING_KNOWN, upstreamCall } from "./found.ts";

/** Each payment once, with its owner if one of its rows shows it. */
function viewPayments(found: readonly KnownPayment[]): Found[] {
  const byId = new Map<string, Found>();
  for (const { paymentIntentId: id, environment, partnerId } of found) {
    if (id !== null && (byId.get(id)?.partnerId ?? null) === null)
      byId.set(id, { ...NOTHING_KNOWN, kind: "payment", id, environment, partnerId });
  }
  return [...byId.values()].slice(0, MAX_PAYMENTS);
}

async function recorded(deps: FindDeps, paymentIntentId: string): Promise<KnownPayment[]> {
  return (await askAllDatabases(deps, (db) => paymentsById(db, paymentIntentId))).flat();
}

/** A payment by its id: recorded, waiting for its look-up, or known only to the processor. */
export async function paymentsByIntent(deps: FindDeps, id: string): Promise<Found[]> {
  const rows = await recorded(deps, id);
  if (rows.length > 0) return viewPayments(rows);
  const waiting = (await askAllDatabases(deps, (db) => processorReportsOf(db, [id]))).flatMap(({ waiting: all }) => all);
  const reported = waiting.slice(0, 1).map(({ environment }): Found => ({ ...NOTHING_KNOWN, kind: "payment", id, environment }));
  try {
    const asked = await paymentsOfObject(deps, id);
    return asked.length > 0 ? asked : reported;
  } catch (thrown) {
    // While the processor is unreachable, the waiting payment is the result.
    if (thrown instanceof ServiceFailure && reported.length > 0) return reported;
    throw thrown;
  }
}

export async function paymentsNamed(deps: FindDeps, reference: string): Promise<Found[]> {
  const partnerIds = [...(await allLocations(deps.directory)).keys()];
  return viewPayments((await askAllDatabases(deps, (db) => paymentsByReference(db, partnerIds, reference))).flat());
}

/** The payment of a transaction; its movement, while its payment is not known. */
export async function paymentsOfTransaction(deps: FindDeps, id: string): Promise<Found[]> {
  const rows = (await askAllDatabases(deps, (db) => recordedOfTransaction(db, id))).flat();
  const payments = viewPayments(rows);
  if (payments.length > 0) return payments;
  const movement = id.startsWith("processor:") ? id : `processor:${id}`;
  return rows
    .slice(0, 1)
    .map(({ partnerId, environment }) => ({ ...NOTHING_KNOWN, kind: "movement", id: movement, partnerId, environment }));
}

/**
 * The payments and subscriptions of a buyer: those that our orders show, and those that only the processor knows. Erased
 * payments are left out: an erased address leads to nothing of ours. @throws ServiceFailure from the processor, if nothing
 * of ours was found.
 */
export async function paymentsOfBuyer(deps: FindDeps, email: string): Promise<Found[]> {
  const own = await ordersOfBuyer(deps, email);
  try {
    const asked = await askForBuyer(deps, email);
    return [...own, ...asked.filter(({ id }) => !own.some((one) => one.id === id))];
  } catch (thrown) {
    // What we have answers most questions while the processor is down.
    if (own.length > 0 && thrown instanceof ServiceFailure) return own;
    throw thrown;
  }
}

/** The orders of a buyer that we know, cards and rubles alike, and their subscriptions. By index. */
async function ordersOfBuyer(deps: FindDeps, email: string): Promise<Found[]> {
  const found = await inEachCell(deps, (db) => ordersWithEmail(db, email, MAX_PAYMENTS));
  const objects = found.flatMap(({ row, cell }) =>
    row.flatMap(({ id, partnerId, environment, subscriptionId }): Found[] => [
      // A free checkout is found by its event.
      ...(id.startsWith("cs_")
        ? []
        : [{ kind: id.startsWith("pi_") ? ("payment" as const) : ("bank_order" as const), id, partnerId, cell, environment }]),
      ...(subscriptionId === null ? [] : [{ kind: "subscription" as const, id: subscriptionId, partnerId, cell, environment }]),
    ]),
  );
  return [...new Map(objects.map((object) => [object.id, object])).values()];
}

/** Payments of a buyer that only the processor knows. @throws ServiceFailure from the processor. */
async function askForBuyer(deps: FindDeps, email: string): Promise<Found[]> {
  const asked = environments.flatMap((environment) => spellingsOf(email).map((address) => ({ environment, address })));
  const found = await Promise.all(
    asked.map(async ({ environment, address }) => {
      const payments = await deps.processor(environment).findPaymentsOfBuyer(address, deps.clock.now(), MAX_PAYMENTS, upstreamCall(deps));
      const ids = payments.flatMap(({ paymentIntentId }) => paymentIntentId ?? []);
      const erased = await erasedAmong(
        deps.directory,
        ids.map((id) => snapshotKey(environment, id)),
      );
      const isKept = (id: string | null) => id === null || !erased.has(snapshotKey(environment, id));
      const rows = await Promise.all(ids.filter(isKept).map((id) => recorded(deps, id)));
      const known = payments.filter(({ paymentIntentId }) => isKept(paymentIntentId));
      return [...rows.flat(), ...known.map((payment) => ({ environment, partnerId: null, ...payment }))];
    }),
  );
  return viewPayments(found.flat());
}

/**
 * The payment, subscription or free checkout of an object of the processor. The processor is asked, so an object that
 * was never reported here is found too. @throws ServiceFailure from the processor.
 */
export async function paymentsOfObject(deps: FindDeps, id: string): Promise<Found[]> {
  const source = sourceOfId(id);
  if (source === null) return [];
  const found = await Promise.all(
    environments.map(async (environment) => {
      const facts = await factsOf(deps, environment, source);
      return facts === null ? [] : foundIn(deps, environment, facts);
    }),
  );
  return found.flat();
}

async function foundIn(deps: FindDeps, environment: Environment, facts: PaymentFacts): Promise<Found[]> {
  const { paymentIntentId, freeCheckout, subscription, metadata } = facts;
  const partnerId = partnerIdIn(metadata);
  if (freeCheckout !== null) {
    const location = partnerId === null ? undefined : (await allLocations(deps.directory)).get(partnerId);
    return partnerId === null || location === undefined
      ? []
      : eventsById(deps, await checkoutEventId(location.idCode, { environment, partnerId }, freeCheckout.id));
  }
  if (paymentIntentId === null) return subscription === null ? [] : subscriptionsById(deps, subscription.id);
  const rows = await recorded(deps, paymentIntentId);
  return viewPayments([...rows, { environment, partnerId, paymentIntentId, subscriptionId: subscription?.id ?? null }]);
}

/** Null if the environment does not have the object: an id belongs to one environment. */
async function factsOf(deps: FindDeps, environment: Environment, source: Source): Promise<PaymentFacts | null> {
  try {
    return await deps.processor(environment).retrieve(source, upstreamCall(deps));
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && thrown.error.kind === "upstream_failed" && thrown.error.code === "resource_missing")
      return null;
    throw thrown;
  }
}

/** Orders that were completed without a payment: their events have the reference. */
export async function checkoutsNamed(deps: FindDeps, reference: string): Promise<Found[]> {
  const found = await inEachCell(deps, (db) => eventsOfCheckouts(db, reference, MAX_PAYMENTS));
  return viewEvents(found.flatMap(({ row, cell }) => row.map((one) => ({ row: one, cell }))));
}

export async function subscriptionsById(deps: FindDeps, id: string): Promise<Found[]> {
  const found = await askAllDatabases(deps, (db) => findSubscription(db, id));
  return found.flatMap((row) =>
    row === undefined ? [] : [{ ...NOTHING_KNOWN, kind: "subscription", id, partnerId: row.partnerId, environment: row.environment }],
  );
}
