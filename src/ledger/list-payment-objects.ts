import type { Environment } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import type { Database } from "../db/client.ts";
import type { Caller } from "../partners/authenticate.ts";
import { movementId } from "./movement.ts";
import { findObjects, findPayments, type StoredObject } from "./objects-store.ts";

/** An incoming payment and its stored processor objects. Each object is JSON text, as it is stored. */
export interface PaymentObjects {
  readonly environment: Environment;
  readonly objects: readonly StoredObject[];
}

export interface FoundPayments {
  readonly count: number;
  readonly records: AsyncIterable<PaymentObjects>;
}

/** Maximum number of records in memory at once: a record can be 20 KiB or more. */
const SLICE = 500;

type Objects = Awaited<ReturnType<typeof findObjects>>;
type Payment = Awaited<ReturnType<typeof findPayments>>["payments"][number];

/**
 * The caller's own incoming payments of a period, newest first, each with the processor's objects
 * (interface 3.3). One D1 round trip, and another while the records are read if there are more than 500. Bounds in Unix
 * milliseconds, inclusive; a period that ends before it begins is empty.
 */
export async function listPaymentObjects(
  deps: { readonly db: Database },
  caller: Caller,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
): Promise<FoundPayments> {
  const { payments, objects } = await findPayments(
    deps.db,
    { partnerId: caller.partnerId, from, to },
    limits.paymentObjects.records,
    SLICE,
  );
  return { count: payments.length, records: recordsOf(deps.db, payments, objects) };
}

/**
 * Yields the records slice by slice. The objects of the first slice are already loaded. They are released before the
 * next slice is read.
 */
async function* recordsOf(db: Database, payments: readonly Payment[], preloaded: Objects | null) {
  for (let offset = 0; offset < payments.length; offset += SLICE) {
    const slice = payments.slice(offset, offset + SLICE);
    const objects = preloaded ?? (await findObjects(db, slice));
    preloaded = null;
    yield* joined(slice, objects);
  }
}

function joined(payments: readonly Payment[], { ofPayments, ofSubscriptions }: Objects): PaymentObjects[] {
  const byPayment = Map.groupBy(ofPayments, ({ paymentIntentId }) => paymentIntentId);
  const subscriptions = new Map(ofSubscriptions.map((object) => [object.id, object]));
  return payments.map(({ id, environment, sourceId, paymentIntentId, subscriptionId }) => {
    const subscription = subscriptionId === null ? undefined : subscriptions.get(subscriptionId);
    // After several attempts, a payment has several charges, and a refund has its own balance transaction. Only the
    // ones of this movement count.
    const own = (byPayment.get(paymentIntentId) ?? []).filter((object) => {
      if (object.type === "charge") return object.id === sourceId;
      return object.type !== "balance_transaction" || movementId(object.id) === id;
    });
    return { environment, objects: subscription === undefined ? own : [...own, subscription] };
  });
}
