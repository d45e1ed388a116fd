import type { Environment } from "../core/environment.ts";
import type { Database } from "../db/client.ts";
import type { Caller } from "../partners/authenticate.ts";
import { movementId } from "./movement.ts";
import { findObjects, findPayments, type StoredObject } from "./objects-store.ts";

/** An incoming payment and what the processor keeps of it; each object is JSON text as it is stored. */
export interface PaymentObjects {
  readonly environment: Environment;
  readonly objects: readonly StoredObject[];
}

export interface FoundPayments {
  readonly count: number;
  readonly records: AsyncIterable<PaymentObjects>;
}

/** At most this many records are returned; a longer period is to be split. */
const MOST_RECORDS = 1000;
/** So many are held in memory at once: a record can be 20 KiB and more. */
const SLICE = 500;

type Objects = Awaited<ReturnType<typeof findObjects>>;
type Payment = Awaited<ReturnType<typeof findPayments>>["payments"][number];

/**
 * The caller's own incoming payments of a period, newest first, each with the processor's objects (interface,
 * operation 3). One D1 round trip, and another while the records are read if there are more than 500. Bounds in Unix
 * milliseconds, inclusive; a period that ends before it begins is empty.
 */
export async function listPaymentObjects(
  tools: { readonly db: Database },
  caller: Caller,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
): Promise<FoundPayments> {
  const { payments, objects } = await findPayments(tools.db, { partnerId: caller.partnerId, from, to }, MOST_RECORDS, SLICE);
  return { count: payments.length, records: recordsOf(tools.db, payments, objects) };
}

/** Slice by slice: those around the first are there, and are let go of before the next are read. */
async function* recordsOf(db: Database, payments: readonly Payment[], around: Objects | null) {
  for (let offset = 0; offset < payments.length; offset += SLICE) {
    const slice = payments.slice(offset, offset + SLICE);
    const objects = around ?? (await findObjects(db, slice));
    around = null;
    yield* joined(slice, objects);
  }
}

function joined(payments: readonly Payment[], { ofPayments, ofSubscriptions }: Objects): PaymentObjects[] {
  const byPayment = Map.groupBy(ofPayments, ({ paymentIntentId }) => paymentIntentId);
  const subscriptions = new Map(ofSubscriptions.map((object) => [object.id, object]));
  return payments.map(({ id, environment, sourceId, paymentIntentId, subscriptionId }) => {
    const subscription = subscriptionId === null ? undefined : subscriptions.get(subscriptionId);
    // A payment that took several tries has several charges, and a refund its own transaction: this movement's count.
    const own = (byPayment.get(paymentIntentId) ?? []).filter((object) => {
      if (object.type === "charge") return object.id === sourceId;
      return object.type !== "balance_transaction" || movementId(object.id) === id;
    });
    return { environment, objects: subscription === undefined ? own : [...own, subscription] };
  });
}
