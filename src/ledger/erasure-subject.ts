import { upstreamBudget } from "../core/call-budget.ts";
import type { Clock } from "../core/clock.ts";
import { type Environment, environments } from "../core/environment.ts";
import { type AllDatabases, askAllDatabases, askDatabase } from "../db/all-databases.ts";
import type { Cell, Database, Directory, NamedCell } from "../db/client.ts";
import { type ErasedOrders, type KnownOrder, ordersToErase } from "../orders/erase.ts";
import { allPartnerIds } from "../partners/location-store.ts";
import type { Processor } from "../processor/processor.ts";
import { ownerOfSubscription, subscriptionsByReference } from "../subscriptions/store.ts";
import {
  type KnownPayment,
  paymentsById,
  paymentsByReference,
  paymentsOfSubscription,
  unownedByReference,
} from "./movements/known-payments.ts";

/**
 * The subject of an erasure: a payment, an order, or a buyer by the e-mail address of a checkout. `orders`: the ruble payments with
 * the reference, for notes about them.
 */
export type ErasureSubject =
  | { readonly paymentIntentId: string }
  | {
      readonly clientReferenceId: string;
      /** The partner whose order it is. Needed where several have one with this reference. */
      readonly partnerId?: string | undefined;
      readonly orders?: readonly { readonly id: string; readonly partnerId: string | null }[];
    }
  | { readonly email: string };

/**
 * The maximum number of a buyer's payments that one call erases, newest first. docs/operations.md covers buyers with
 * more.
 */
const MAX_PAYMENTS = 1_000;

/** The operator does not know the cell of a buyer's payments, so all databases are asked. */
export interface FindDeps extends AllDatabases {
  readonly everyCell: () => readonly NamedCell[];
  readonly clock: Clock;
  readonly directory: Directory;
  processor(environment: Environment): Processor;
}

/** What an erasure is about: stored orders, and the payments and subscriptions whose snapshots name the person. */
export interface SubjectRows {
  readonly orders: readonly KnownOrder[];
  readonly payments: readonly KnownPayment[];
  /** The ids of the orders: of card payments, free checkouts and ruble payments. */
  readonly orderIds: readonly string[];
}

/** Several partners have an order with the reference. */
export interface SeveralOwners {
  readonly owners: readonly string[];
}

/**
 * Finds all that is stored of a subject, renewals of its subscriptions too. A reference is unique for one partner only, so the
 * order of another partner is another person's: with several owners, none is found.
 * @throws ServiceFailure from the processor, the only one that knows the payments of a buyer's address.
 */
export async function rowsOfSubject(deps: FindDeps, subject: ErasureSubject): Promise<SubjectRows | SeveralOwners> {
  const named = await ordersOf(deps, subject);
  const known = [...(await paymentsOf(deps, subject)), ...named.map(paymentOfOrder)];
  const owners = ownersOf(subject, known);
  if (owners.length > 1) return { owners };
  // A renewal that was declined has no movement, and is an order alone.
  const subscriptionIds = known.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  const renewals = (await inEachCell(deps, (db) => ordersToErase(db, { subscriptionIds }))).flat();
  const payments = [...known, ...(await paymentsOfSubscriptions(deps, known)), ...renewals.map(paymentOfOrder)];
  const ids = payments.flatMap(({ paymentIntentId }) => paymentIntentId ?? []);
  const orderIds = [...new Set([...ids, ...named.map(({ id }) => id), ...rubleOrdersOf(subject)])];
  const orders = (await inEachCell(deps, (db) => ordersToErase(db, { ids: orderIds }))).flat();
  return { orders, payments, orderIds };
}

/** The answers of the reachable cells. */
export async function inEachCell<Answer>(deps: FindDeps, ask: (db: Cell) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { databaseName, db } of deps.everyCell()) {
    const answer = await askDatabase(deps, databaseName, async () => [await ask(db)]);
    answers.push(...(answer ?? []));
  }
  return answers;
}

/** The stored orders of the subject: also those that were never paid, which have no movement. */
async function ordersOf(deps: FindDeps, subject: ErasureSubject): Promise<readonly KnownOrder[]> {
  const wanted: ErasedOrders =
    "email" in subject
      ? { email: subject.email }
      : "paymentIntentId" in subject
        ? { ids: [subject.paymentIntentId] }
        : { reference: subject.clientReferenceId, partnerIds: await partnersOf(deps, subject.partnerId) };
  return (await inEachCell(deps, (db) => ordersToErase(db, wanted))).flat();
}

const partnersOf = async ({ directory }: FindDeps, partnerId: string | undefined) =>
  partnerId === undefined ? allPartnerIds(directory) : [partnerId];

/** A card payment by its order; of a ruble order or a free checkout, nothing that has a snapshot. */
const paymentOfOrder = ({ id, subscriptionId, partnerId, environment }: KnownOrder): KnownPayment => ({
  environment,
  partnerId,
  subscriptionId,
  paymentIntentId: id.startsWith("pi_") ? id : null,
});

const rubleOrdersOf = (subject: ErasureSubject): readonly string[] =>
  "clientReferenceId" in subject ? (subject.orders ?? []).map(({ id }) => id) : [];

/** The partners with an order of this reference, of which one was to be named. */
function ownersOf(subject: ErasureSubject, named: readonly KnownPayment[]): readonly string[] {
  if (!("clientReferenceId" in subject)) return [];
  return [...new Set([...named, ...(subject.orders ?? [])].flatMap(({ partnerId }) => partnerId ?? []))].toSorted();
}

/** An address as given, and in lower case: the processor distinguishes them, people do not. */
export function spellingsOf(email: string): readonly string[] {
  return [...new Set([email, email.toLowerCase()])];
}

async function paymentsOf(deps: FindDeps, subject: ErasureSubject): Promise<readonly KnownPayment[]> {
  const { clock } = deps;
  if ("paymentIntentId" in subject) return (await askAllDatabases(deps, (db) => paymentsById(db, subject.paymentIntentId))).flat();
  if ("clientReferenceId" in subject) {
    const { clientReferenceId, partnerId } = subject;
    const partnerIds = await partnersOf(deps, partnerId);
    const found = await askAllDatabases(deps, async (db) => [
      ...(await paymentsByReference(db, partnerIds, clientReferenceId)),
      ...(await unownedByReference(db, clientReferenceId)),
      // An unpaid subscription has no payment: a trial, or an order with a 100 % discount.
      ...(await subscriptionsByReference(db, clientReferenceId)),
    ]);
    // One without an owner may be this partner's.
    return found.flat().filter((one) => partnerId === undefined || one.partnerId === null || one.partnerId === partnerId);
  }
  const budget = upstreamBudget(clock);
  const asked = environments.flatMap((environment) => spellingsOf(subject.email).map((address) => ({ environment, address })));
  const ofEach = asked.map(async ({ environment, address }) => {
    const found = await deps.processor(environment).findPaymentsOfBuyer(address, clock.now(), MAX_PAYMENTS, { budget });
    return found.map((payment) => ({ environment, partnerId: null, ...payment }));
  });
  return (await Promise.all(ofEach)).flat();
}

/** All payments of the subscriptions among these. They have the same buyer. */
async function paymentsOfSubscriptions(deps: FindDeps, found: readonly KnownPayment[]): Promise<readonly KnownPayment[]> {
  const payments: KnownPayment[] = [];
  for (const { environment, subscriptionId } of new Map(found.map((payment) => [payment.subscriptionId, payment])).values()) {
    if (subscriptionId === null) continue;
    // The subscription's row may be in another database than its payments.
    const rows = (await askAllDatabases(deps, (db) => ownerOfSubscription(db, subscriptionId))).flat();
    const owners = new Set([null, ...rows.map(({ partnerId }) => partnerId)]);
    for (const owner of owners) {
      const ofOwner = (db: Database) => paymentsOfSubscription(db, owner, environment, subscriptionId);
      payments.push(...(await askAllDatabases(deps, ofOwner)).flat());
    }
  }
  return payments;
}
