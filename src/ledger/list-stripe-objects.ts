import type { Environment } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import type { PartnerData } from "../db/partner-data.ts";
import type { Caller } from "../partners/authenticate.ts";
import { movementId } from "./movement.ts";
import { incomingPayments } from "./movements/store.ts";
import { readSnapshot, type SnapshotDeps, type StoredObject, snapshotKey } from "./snapshots.ts";

/** An incoming payment and its stored processor objects, each as stored JSON text. */
export interface StripeObjects {
  readonly environment: Environment;
  readonly objects: readonly StoredObject[];
}

export interface FoundPayments {
  readonly count: number;
  readonly records: AsyncIterable<StripeObjects>;
}

/** The number of payments whose objects are read in parallel. A Worker can have six connections open. */
const READ_AHEAD = 6;
/** The number of subscriptions whose objects are cached: many payments of a period may belong to one. */
const MAX_SUBSCRIPTIONS = 50;

type Payment = Awaited<ReturnType<typeof incomingPayments>>[number];

/**
 * The caller's own incoming payments of a period, newest first, each with the processor's objects
 * (interface 3.3). One D1 round trip, and one or two reads of snapshots for each payment, a few at a time. Bounds in Unix
 * milliseconds, inclusive; a period that ends before it begins is empty.
 */
export async function listStripeObjects(
  deps: SnapshotDeps & { readonly data: PartnerData },
  caller: Caller,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
): Promise<FoundPayments> {
  const payments = await incomingPayments(deps.data, { partnerId: caller.partnerId, from, to, limit: limits.paymentObjects.records });
  return { count: payments.length, records: recordsOf(deps, payments) };
}

/** Yields the records in order, and reads a few ahead: only these are in memory. */
async function* recordsOf(deps: SnapshotDeps, payments: readonly Payment[]): AsyncGenerator<StripeObjects, undefined> {
  const subscriptions = new Map<string, Promise<StoredObject[]>>();
  let reading: Promise<StripeObjects>[] = [];
  for (const payment of payments) {
    const record = recordOf(deps, payment, subscriptions);
    // If an earlier record fails, this one is never awaited.
    record.catch(() => undefined);
    const [next, ...others] = [...reading, record];
    if (reading.length < READ_AHEAD - 1) {
      reading.push(record);
      continue;
    }
    reading = others;
    if (next !== undefined) yield await next;
  }
  for (const record of reading) yield await record;
  return undefined;
}

async function recordOf(
  deps: SnapshotDeps,
  { id, environment, sourceId, paymentIntentId, subscriptionId }: Payment,
  subscriptions: Map<string, Promise<StoredObject[]>>,
): Promise<StripeObjects> {
  const read = (of: string | null) => (of === null ? Promise.resolve([]) : readSnapshot(deps, snapshotKey(environment, of)));
  const ofSubscription = subscriptions.get(subscriptionId ?? "") ?? read(subscriptionId);
  if (subscriptionId !== null) {
    if (subscriptions.size >= MAX_SUBSCRIPTIONS) subscriptions.clear();
    subscriptions.set(subscriptionId, ofSubscription);
  }
  const [ofPayment, subscription] = await Promise.all([read(paymentIntentId), ofSubscription]);
  // With several attempts, a payment has several charges, and a refund has its own balance transaction. Only those of
  // this movement count. Refunds and disputes are not part of the payment's own record.
  const own = ofPayment.filter((object) => {
    if (object.type === "charge") return object.id === sourceId;
    if (object.type === "balance_transaction") return movementId(object.id) === id;
    return object.type !== "refund" && object.type !== "dispute";
  });
  return { environment, objects: [...own, ...subscription] };
}
