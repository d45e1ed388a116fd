import { auditRow, eraseFromAuditLog } from "../audit/audit-log.ts";
import { emptyReceiptUrls } from "../bank-payments/receipts.ts";
import type { Actor } from "../core/actor.ts";
import { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import { type Environment, environments } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import { type AllDatabases, askAllDatabases, askDatabase } from "../db/all-databases.ts";
import { type Cell, type Database, type Directory, runBatch } from "../db/client.ts";
import { emptyLinkReceipts } from "../links/limits.ts";
import { deleteNotesAbout, type Noted } from "../notes/store.ts";
import { type ErasedOrders, emptyCustomers, type KnownOrder, ordersToErase } from "../orders/erase.ts";
import { allPartnerIds } from "../partners/location-store.ts";
import type { Processor } from "../processor/port.ts";
import { ownerOfSubscription, subscriptionsByReference } from "../subscriptions/store.ts";
import {
  type KnownPayment,
  paymentsById,
  paymentsByReference,
  paymentsOfSubscription,
  unownedByReference,
} from "./movements/known-payments.ts";
import { emptyDescriptions } from "./movements/store.ts";
import { noteErasures } from "./refill-snapshots.ts";
import { eraseSnapshot, type SnapshotDeps, snapshotKey } from "./snapshots.ts";

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

/** The number of emptied rows. Zero if there was nothing to empty. */
export interface Erased {
  readonly payments: number;
  readonly subscriptions: number;
  /** Orders whose customer was emptied. */
  readonly orders: number;
  readonly auditEntries: number;
  /** Deleted notes of operators about them. */
  readonly notes: number;
}

/** Several partners have an order with the reference: nothing was erased. */
export interface SeveralOwners {
  readonly owners: readonly string[];
}

/**
 * The maximum number of a buyer's payments that one call erases, newest first. docs/operations.md covers buyers with
 * more.
 */
const MAX_PAYMENTS = 1_000;

/** The operator does not know the cell of a buyer's payments, so all databases are asked. */
interface ErasureDeps extends SnapshotDeps, AllDatabases {
  readonly everyCell: () => readonly { readonly databaseName: CellCode; readonly db: Cell }[];
  readonly clock: Clock;
  readonly directory: Directory;
  processor(environment: Environment): Processor;
}

/**
 * Removes personal data: from the snapshots of the payments and of their subscriptions and the descriptions of their movements,
 * now and in later refreshes, and from the values of the audit log. The rows of the money stay, and so does the order reference. The plan of a ruble
 * payment, which names its buyer too, was deleted when the payment was opened. A reference is unique for one partner only,
 * so the order of another partner is another person's.
 * @throws ServiceFailure from the processor, the only one that knows the payments of a buyer's address.
 */
export async function erasePerson(deps: ErasureDeps, subject: ErasureSubject, actor: Actor): Promise<Erased | SeveralOwners> {
  const orders = await ordersOf(deps, subject);
  const named = [...(await paymentsOf(deps, subject)), ...orders.map(paymentOfOrder)];
  const several = ownersOf(subject, named);
  if (several.length > 1) return { owners: several };
  const found = [...named, ...(await paymentsOfSubscriptions(deps, named))];
  const payments = keysOf(found, ({ paymentIntentId }) => paymentIntentId);
  const subscriptions = keysOf(found, ({ subscriptionId }) => subscriptionId);
  // Stored first: if R2 is lost, only this says which snapshots must stay empty.
  await runBatch(deps.directory, [noteErasures(deps.directory, [...payments, ...subscriptions], deps.clock.now())]);
  const ids = [...new Set(found.flatMap(({ paymentIntentId }) => paymentIntentId ?? []))];
  await askAllDatabases(deps, (db) => emptyDescriptions(db, ids));
  const orderIds = [...new Set([...ids, ...orders.map(({ id }) => id), ...rubleOrdersOf(subject)])];
  const paidIds = [...orderIds, ...found.flatMap(({ subscriptionId }) => subscriptionId ?? [])];
  const emptied = await inEachCell(deps, (db) => emptyCustomers(db, orderIds));
  await inEachCell(deps, (db) => emptyReceiptUrls(db, orderIds));
  await inEachCell(deps, (db) => emptyLinkReceipts(db, paidIds));
  const erased = {
    payments: await eraseAll(deps, payments),
    subscriptions: await eraseAll(deps, subscriptions),
    orders: emptied.reduce((sum, count) => sum + count, 0),
    auditEntries: "email" in subject ? await eraseFromAuditLogs(deps, subject.email) : 0,
    notes: await deleteNotesAbout(deps.directory, notedOf(subject, found)),
  };
  // Once more: a refresh may have stored one before its snapshot was marked, and none does so from now on.
  await askAllDatabases(deps, (db) => emptyDescriptions(db, ids));
  await inEachCell(deps, (db) => emptyCustomers(db, orderIds));
  await inEachCell(deps, (db) => emptyLinkReceipts(db, paidIds));
  // The entry names the subject by the processor's ids, never by the address.
  const target = "email" in subject ? "a buyer" : "paymentIntentId" in subject ? subject.paymentIntentId : subject.clientReferenceId;
  const owners = new Set(found.flatMap(({ partnerId }) => partnerId ?? []));
  const entry = { actor, action: "erase", target, partnerId: owners.size === 1 ? ([...owners][0] ?? null) : null, after: { ...erased } };
  await runBatch(deps.directory, [auditRow(deps.directory, entry, deps.clock.now())]);
  return erased;
}

/** The answers of the reachable cells. */
async function inEachCell<Answer>(deps: ErasureDeps, ask: (db: Cell) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { databaseName, db } of deps.everyCell()) {
    const answer = await askDatabase(deps, databaseName, async () => [await ask(db)]);
    answers.push(...(answer ?? []));
  }
  return answers;
}

/** The stored orders of the subject: also those that were never paid, which have no movement. */
async function ordersOf(deps: ErasureDeps, subject: ErasureSubject): Promise<readonly KnownOrder[]> {
  const wanted: ErasedOrders =
    "email" in subject
      ? { email: subject.email }
      : "paymentIntentId" in subject
        ? { id: subject.paymentIntentId }
        : { reference: subject.clientReferenceId, partnerIds: await partnersOf(deps, subject.partnerId) };
  return (await inEachCell(deps, (db) => ordersToErase(db, wanted))).flat();
}

const partnersOf = async ({ directory }: ErasureDeps, partnerId: string | undefined) =>
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

/** What notes about the subject are at, and what names it. */
function notedOf(subject: ErasureSubject, found: readonly KnownPayment[]): Noted {
  const ids = found.flatMap(({ paymentIntentId, subscriptionId }) => [paymentIntentId ?? [], subscriptionId ?? []].flat());
  if ("email" in subject) return { targets: ids, texts: [...ids, subject.email], reference: null };
  if ("paymentIntentId" in subject) {
    const all = [...ids, subject.paymentIntentId];
    return { targets: all, texts: all, reference: null };
  }
  const orderIds = (subject.orders ?? []).map(({ id }) => id);
  return { targets: [...ids, ...orderIds.map((id) => `bank/${id}`)], texts: [...ids, ...orderIds], reference: subject.clientReferenceId };
}

/** An address as given, and in lower case: the processor distinguishes them, people do not. */
export function spellingsOf(email: string): readonly string[] {
  return [...new Set([email, email.toLowerCase()])];
}

async function eraseFromAuditLogs(deps: ErasureDeps, email: string): Promise<number> {
  const counts = await askAllDatabases(deps, (db) => eraseFromAuditLog(db, email));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function paymentsOf(deps: ErasureDeps, subject: ErasureSubject): Promise<readonly KnownPayment[]> {
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
  const budget = new CallBudget(clock, limits.upstream.seconds * SECOND);
  const asked = environments.flatMap((environment) => spellingsOf(subject.email).map((address) => ({ environment, address })));
  const ofEach = asked.map(async ({ environment, address }) => {
    const found = await deps.processor(environment).findPaymentsOfBuyer(address, clock.now(), MAX_PAYMENTS, { budget });
    return found.map((payment) => ({ environment, partnerId: null, ...payment }));
  });
  return (await Promise.all(ofEach)).flat();
}

/** All payments of the subscriptions among these. They have the same buyer. */
async function paymentsOfSubscriptions(deps: ErasureDeps, found: readonly KnownPayment[]): Promise<readonly KnownPayment[]> {
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

function keysOf(found: readonly KnownPayment[], idOf: (payment: KnownPayment) => string | null): ReadonlySet<string> {
  return new Set(
    found.flatMap((payment) => {
      const id = idOf(payment);
      return id === null ? [] : [snapshotKey(payment.environment, id)];
    }),
  );
}

async function eraseAll(deps: SnapshotDeps, keys: ReadonlySet<string>): Promise<number> {
  let count = 0;
  for (const key of keys) if (await eraseSnapshot(deps, key)) count += 1;
  return count;
}
