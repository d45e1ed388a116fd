import { ServiceFailure } from "../core/errors.ts";
import { type JsonObject, jsonObjectSchema, parseJson } from "../core/json.ts";
import { rankOf } from "../core/movements.ts";
import type { PartnerData } from "../db/partner-data.ts";
import type { Caller } from "../partners/authenticate.ts";
import { type Movement, movementId } from "./movement.ts";
import { movementsOfPayment } from "./movements/store.ts";
import { readSnapshot, type SnapshotDeps, type StoredObject, snapshotKey } from "./snapshots.ts";

/** The processor's object types that a snapshot can hold, each with its key in the snapshot (interface 6.3). */
const KEYS = {
  payment_intent: "payment_intent",
  charge: "charge",
  "checkout.session": "checkout_session",
  invoice: "invoice",
  balance_transaction: "balance_transaction",
  subscription: "subscription",
  refund: "refund",
  dispute: "dispute",
} as const;

type SnapshotKey = (typeof KEYS)[keyof typeof KEYS];
export const snapshotKeys: readonly SnapshotKey[] = Object.values(KEYS);

/** The processor's objects of a payment. Which ones exist depends on how the payment was made. */
export type Snapshot = Partial<Record<SnapshotKey, JsonObject>>;

export interface FoundPayment {
  readonly payment: Movement;
  readonly snapshot: Snapshot;
  /** All other movements of the payment, oldest first. */
  readonly related: readonly Movement[];
}

/**
 * Gets one of the caller's own payments, with all its related data (interface 6.4). If there is no movement of
 * the payment itself, its earliest movement is used instead. One D1 round trip, and one or two reads of snapshots.
 * @throws ServiceFailure `payment_not_found`, both if the payment does not exist and if it belongs to another partner.
 */
export async function findPayment(
  deps: SnapshotDeps & { readonly data: PartnerData },
  caller: Caller,
  paymentIntentId: string,
): Promise<FoundPayment> {
  const found = await movementsOfPayment(deps.data, caller.partnerId, paymentIntentId);
  const [first] = found;
  if (first === undefined) throw new ServiceFailure({ kind: "payment_not_found" });
  const subscriptionId = found.map((movement) => movement.subscriptionId).find((id) => id !== null);
  const ids = [paymentIntentId, ...(subscriptionId === undefined || subscriptionId === null ? [] : [subscriptionId])];
  const objects = (await Promise.all(ids.map((id) => readSnapshot(deps, snapshotKey(first.environment, id))))).flat();
  const movements = inOrderSeen(found, objects);
  const payment = pickPayment(movements) ?? first;
  return { payment, snapshot: snapshotOf(payment, objects), related: movements.filter(({ id }) => id !== payment.id) };
}

/**
 * Movements, oldest first. The processor's timestamps are in seconds. Within one second, a failure follows the failed
 * movement; among equal kinds, the movement whose source object was seen first comes first.
 */
function inOrderSeen(movements: readonly Movement[], objects: readonly StoredObject[]): Movement[] {
  const positions = new Map(objects.map(({ id }, position) => [id, position]));
  const positionOf = ({ sourceId }: Movement) => positions.get(sourceId ?? "") ?? objects.length;
  return movements.toSorted(
    (left, right) =>
      left.transactionDate - right.transactionDate || rankOf(left.type) - rankOf(right.type) || positionOf(left) - positionOf(right),
  );
}

function snapshotOf(payment: Movement, objects: readonly StoredObject[]): Snapshot {
  const own = objects.filter((object) => belongsTo(payment, object));
  // Objects come in the order in which they were first seen. This order decides between objects of the same second.
  const oldestFirst = own
    .map(({ type, data }) => ({ type, data: parseJson(jsonObjectSchema, data) }))
    .toSorted((left, right) => createdOf(left.data) - createdOf(right.data));
  // A later object replaces an earlier one of the same type.
  const snapshot: Snapshot = {};
  for (const { type, data } of oldestFirst) {
    if (isSnapshotType(type)) snapshot[KEYS[type]] = data;
  }
  return snapshot;
}

/** Creation time of the object at the processor, in Unix seconds. */
function createdOf({ created }: JsonObject): number {
  return typeof created === "number" ? created : 0;
}

/** Whether the object belongs to this movement: a payment can have several objects of the same type. */
function belongsTo(payment: Movement, { id, type }: StoredObject): boolean {
  const isFallback = payment.type !== "processor_payment_in";
  if (type === "balance_transaction") return movementId(id) === payment.id;
  if (type === "charge") return isFallback || id === payment.sourceId;
  if (type === "refund" || type === "dispute") return !isFallback || id === payment.sourceId;
  return true;
}

function isSnapshotType(type: string): type is keyof typeof KEYS {
  return Object.hasOwn(KEYS, type);
}

/** With several attempts, each has a movement. The last one that did not fail is the payment. */
function pickPayment<Of extends Pick<Movement, "type" | "status">>(oldestFirst: readonly Of[]): Of | undefined {
  const payments = oldestFirst.filter(({ type }) => type === "processor_payment_in");
  return payments.findLast(({ status }) => status !== "failed") ?? payments.at(-1) ?? oldestFirst[0];
}
