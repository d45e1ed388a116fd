import { ServiceFailure } from "../core/errors.ts";
import { type JsonObject, jsonObjectSchema, parseJson } from "../core/json.ts";
import type { Database } from "../db/client.ts";
import type { Caller } from "../partners/authenticate.ts";
import { type Movement, movementId } from "./movement.ts";
import { findPaymentWithObjects, type StoredObject } from "./objects-store.ts";

/** What a snapshot can hold, by the processor's name of the object. */
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

/** The processor's objects around a payment; which of them there are depends on how it was paid. */
export type Snapshot = Partial<Record<SnapshotKey, JsonObject>>;

export interface FoundPayment {
  readonly payment: Movement;
  readonly snapshot: Snapshot;
  /** All other movements of the payment, oldest first. */
  readonly related: readonly Movement[];
}

/**
 * One of the caller's own payments, with all that belongs to it (interface, operation 6). Where there is no movement of
 * the payment itself, its earliest movement stands in. One D1 round trip.
 * @throws ServiceFailure `payment_not_found`, alike for one that does not exist and for another partner's.
 */
export async function findPayment(tools: { readonly db: Database }, caller: Caller, paymentIntentId: string): Promise<FoundPayment> {
  const { movements, objects } = await findPaymentWithObjects(tools.db, caller.partnerId, paymentIntentId);
  const payment = mainOf(movements);
  if (payment === undefined) throw new ServiceFailure({ kind: "payment_not_found" });
  return { payment, snapshot: snapshotOf(payment, objects), related: movements.filter(({ id }) => id !== payment.id) };
}

/** A payment that took several tries has a movement of each that was counted: the last that did not fail is it. */
function mainOf(oldestFirst: readonly Movement[]): Movement | undefined {
  const payments = oldestFirst.filter(({ type }) => type === "processor_payment_in");
  return payments.findLast(({ status }) => status !== "failed") ?? payments.at(-1) ?? oldestFirst[0];
}

function snapshotOf(payment: Movement, objects: readonly StoredObject[]): Snapshot {
  const own = objects.filter((object) => belongsTo(payment, object));
  // They come in the order of being heard of first, which decides between those of one second.
  const oldestFirst = own
    .map(({ type, data }) => ({ type, data: parseJson(jsonObjectSchema, data) }))
    .toSorted((left, right) => createdOf(left.data) - createdOf(right.data));
  // A later one of its kind takes the place of an earlier one.
  const snapshot: Snapshot = {};
  for (const { type, data } of oldestFirst) {
    if (isSnapshotType(type)) snapshot[KEYS[type]] = data;
  }
  return snapshot;
}

/** When the processor made an object, in Unix seconds. */
function createdOf({ created }: JsonObject): number {
  return typeof created === "number" ? created : 0;
}

/** Whether it is this movement's own, where several of its kind hang on one payment. */
function belongsTo(payment: Movement, { id, type }: StoredObject): boolean {
  const standsIn = payment.type !== "processor_payment_in";
  if (type === "balance_transaction") return movementId(id) === payment.id;
  if (type === "charge") return standsIn || id === payment.sourceId;
  if (type === "refund" || type === "dispute") return !standsIn || id === payment.sourceId;
  return true;
}

function isSnapshotType(type: string): type is keyof typeof KEYS {
  return Object.hasOwn(KEYS, type);
}
