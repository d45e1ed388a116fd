import { auditRow, auditRowOfEach, eraseFromAuditLog } from "../audit/audit-log.ts";
import { eraseBuyers } from "../bank-payments/receipts.ts";
import type { Actor } from "../core/actor.ts";
import { newId } from "../core/ids.ts";
import { askAllDatabases } from "../db/all-databases.ts";
import { runBatch } from "../db/client.ts";
import { emptyLinkReceipts } from "../links/limits.ts";
import { deleteNotesAbout, type Noted } from "../notes/store.ts";
import { emptyCustomers } from "../orders/erase.ts";
import { type ErasureSubject, type FindDeps, inEachCell, rowsOfSubject, type SeveralOwners, type SubjectRows } from "./erasure-subject.ts";
import type { KnownPayment } from "./movements/known-payments.ts";
import { emptyDescriptions } from "./movements/store.ts";
import { noteErasures } from "./refill-snapshots.ts";
import { eraseSnapshot, type SnapshotDeps, snapshotKey } from "./snapshots.ts";

/** The numbers of emptied rows: zero if there was nothing to empty. */
export interface Erased {
  /** The id of this erasure. The audit log has it at each order. */
  readonly id: string;
  /** The partners of the orders, sorted. */
  readonly partners: readonly string[];
  /** The orders that it is about, sorted: also those that were empty. */
  readonly orderIds: readonly string[];
  readonly payments: number;
  readonly subscriptions: number;
  /** Orders whose customer was emptied. */
  readonly orders: number;
  readonly auditEntries: number;
  /** Deleted notes of operators about them. */
  readonly notes: number;
}

interface ErasureDeps extends SnapshotDeps, FindDeps {}

/**
 * Removes personal data: from the snapshots of the payments and of their subscriptions and the descriptions of their movements,
 * now and in later refreshes, and from the values of the audit log. The rows of the money stay, and so does the order reference. The plan of a ruble
 * payment, which names its buyer too, was deleted when the payment was opened.
 * The audit log gets an entry at each order before anything is emptied, and one of the erasure at its end. They name orders and
 * partners, never the address or the reference.
 * @throws ServiceFailure from the processor, the only one that knows the payments of a buyer's address.
 */
export async function erasePerson(deps: ErasureDeps, subject: ErasureSubject, actor: Actor): Promise<Erased | SeveralOwners> {
  const rows = await rowsOfSubject(deps, subject);
  if ("owners" in rows) return rows;
  const payments = keysOf(rows.payments, ({ paymentIntentId }) => paymentIntentId).union(freeCheckoutsOf(rows));
  const subscriptions = keysOf(rows.payments, ({ subscriptionId }) => subscriptionId);
  const { id, partners } = await begin(deps, rows, [...payments, ...subscriptions], actor);
  const ids = [...new Set(rows.payments.flatMap(({ paymentIntentId }) => paymentIntentId ?? []))];
  await askAllDatabases(deps, (db) => emptyDescriptions(db, ids));
  const paidIds = [...rows.orderIds, ...rows.payments.flatMap(({ subscriptionId }) => subscriptionId ?? [])];
  const emptied = await inEachCell(deps, (db) => emptyCustomers(db, rows.orderIds));
  await inEachCell(deps, (db) => eraseBuyers(db, rows.orderIds, deps.clock.now()));
  await inEachCell(deps, (db) => emptyLinkReceipts(db, paidIds));
  const counts = {
    payments: await eraseAll(deps, payments),
    subscriptions: await eraseAll(deps, subscriptions),
    orders: emptied.reduce((sum, count) => sum + count, 0),
    auditEntries: "email" in subject ? await eraseFromAuditLogs(deps, subject.email) : 0,
    notes: await deleteNotesAbout(deps.directory, notedOf(subject, rows)),
  };
  // Once more: a refresh may have stored one before its snapshot was marked, and none does so from now on.
  await askAllDatabases(deps, (db) => emptyDescriptions(db, ids));
  await inEachCell(deps, (db) => emptyCustomers(db, rows.orderIds));
  await inEachCell(deps, (db) => emptyLinkReceipts(db, paidIds));
  const entry = { actor, action: "erase" as const, target: id, after: { ...counts, partners } };
  await runBatch(deps.directory, [auditRow(deps.directory, entry, deps.clock.now())]);
  return { id, partners, orderIds: rows.orderIds.toSorted(), ...counts };
}

/**
 * Stores what is erased, before it is: if R2 is lost, only this says which snapshots must stay empty. The audit log says of each
 * order which erasure emptied it, also where the erasure stops half-way.
 */
async function begin(deps: ErasureDeps, { orders, payments, orderIds }: SubjectRows, keys: readonly string[], actor: Actor) {
  const { directory, clock } = deps;
  const id = newId("era");
  const owners = ownersByObject({ orders, payments, orderIds });
  const targets = [...owners].map(([target, partnerId]) => ({ target, partnerId }));
  await runBatch(directory, [
    auditRowOfEach(directory, { actor, action: "erase", after: { erasure: id } }, targets, clock.now()),
    noteErasures(directory, [...keys], clock.now()),
  ]);
  const partners = [...new Set(targets.flatMap(({ partnerId }) => partnerId ?? []))].toSorted();
  return { id, partners };
}

/** The partner of each order, payment and subscription; null where none is known. */
function ownersByObject({ orders, payments, orderIds }: SubjectRows): ReadonlyMap<string, string | null> {
  const owners = new Map<string, string | null>();
  const named = [
    ...payments.flatMap(({ paymentIntentId, subscriptionId, partnerId }) =>
      [paymentIntentId, subscriptionId].map((id) => ({ id, partnerId })),
    ),
    ...orders,
    // A ruble order may be known from a notification of the bank alone.
    ...orderIds.map((id) => ({ id, partnerId: null })),
  ];
  for (const { id, partnerId } of named) if (id !== null) owners.set(id, partnerId ?? owners.get(id) ?? null);
  return owners;
}

/** What notes about the subject are at, and what names it. */
function notedOf(subject: ErasureSubject, { payments, orderIds }: SubjectRows): Noted {
  const found = payments.flatMap(({ paymentIntentId, subscriptionId }) => [paymentIntentId ?? [], subscriptionId ?? []].flat());
  const ids = [...new Set([...found, ...orderIds, ...("paymentIntentId" in subject ? [subject.paymentIntentId] : [])])];
  // A note about a ruble payment is at its order at the bank.
  const targets = [...ids, ...orderIds.map((id) => `bank/${id}`)];
  const address = "email" in subject ? [subject.email] : [];
  return { targets, texts: [...ids, ...address], reference: "clientReferenceId" in subject ? subject.clientReferenceId : null };
}

async function eraseFromAuditLogs(deps: ErasureDeps, email: string): Promise<number> {
  const counts = await askAllDatabases(deps, (db) => eraseFromAuditLog(db, email));
  return counts.reduce((sum, count) => sum + count, 0);
}

function keysOf(found: readonly KnownPayment[], idOf: (payment: KnownPayment) => string | null): ReadonlySet<string> {
  return new Set(
    found.flatMap((payment) => {
      const id = idOf(payment);
      return id === null ? [] : [snapshotKey(payment.environment, id)];
    }),
  );
}

/** A free checkout has no snapshot. Its mark says to later looks that its customer was erased. */
const freeCheckoutsOf = ({ orders }: SubjectRows): ReadonlySet<string> =>
  new Set(orders.filter(({ id }) => id.startsWith("cs_")).map(({ environment, id }) => snapshotKey(environment, id)));

async function eraseAll(deps: SnapshotDeps, keys: ReadonlySet<string>): Promise<number> {
  let count = 0;
  for (const key of keys) if (await eraseSnapshot(deps, key)) count += 1;
  return count;
}
