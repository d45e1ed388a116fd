import type { Environment } from "../core/environment.ts";
import type { Database } from "../db/client.ts";
import type { Caller } from "../partners/authenticate.ts";
import { movementId } from "./movement.ts";
import { listPaymentObjects as findPaymentObjects, type StoredObject } from "./objects-store.ts";

/** An incoming payment and what the processor keeps of it; each object is JSON text as it is stored. */
export interface PaymentObjects {
  readonly environment: Environment;
  readonly objects: readonly StoredObject[];
}

/** At most this many records are returned; a longer period is to be split. */
const MOST_RECORDS = 1000;

/**
 * The caller's own incoming payments of a period, newest first, each with the processor's objects (interface,
 * operation 3). One D1 round trip. Bounds in Unix milliseconds, inclusive; a period that ends before it begins is empty.
 */
export async function listPaymentObjects(
  tools: { readonly db: Database },
  caller: Caller,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
): Promise<PaymentObjects[]> {
  if (from !== undefined && to !== undefined && from > to) return [];
  const found = await findPaymentObjects(tools.db, { partnerId: caller.partnerId, from, to, limit: MOST_RECORDS });
  const byPayment = Map.groupBy(found.ofPayments, ({ paymentIntentId }) => paymentIntentId);
  const subscriptions = new Map(found.ofSubscriptions.map((object) => [object.id, object]));
  return found.rows.map(({ id, environment, sourceId, paymentIntentId, subscriptionId }) => {
    const subscription = subscriptionId === null ? undefined : subscriptions.get(subscriptionId);
    // A payment that took several tries has several charges, and a refund its own transaction: this movement's count.
    const own = (byPayment.get(paymentIntentId) ?? []).filter((object) => {
      if (object.type === "charge") return object.id === sourceId;
      return object.type !== "balance_transaction" || movementId(object.id) === id;
    });
    return { environment, objects: subscription === undefined ? own : [...own, subscription] };
  });
}
