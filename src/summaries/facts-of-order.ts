import { isForPeople } from "../core/ids.ts";
import { isInquiry, stateOfDispute } from "../core/object-states.ts";
import type { Movement } from "../ledger/movement.ts";
import { itemsIn, namesOfItems } from "../orders/items.ts";
import type { OrderRow } from "../orders/store.ts";
import type { OrderFacts } from "./of-order.ts";

interface Delivery {
  readonly eventId: string;
  readonly deliveryId: string;
  readonly state: string;
  readonly attempts: number;
  readonly endpointId: string;
}

export interface OrderParts {
  readonly order: OrderRow;
  readonly movements: readonly Pick<
    Movement,
    "type" | "status" | "amount" | "currency" | "chargedAmount" | "chargedCurrency" | "transactionDate"
  >[];
  readonly disputed: readonly {
    readonly status: string;
    readonly reason: string;
    readonly createdAt: number;
    readonly evidenceDueBy: number | null;
  }[];
  readonly deliveries: readonly Delivery[];
  /** The webhooks of these. */
  readonly endpoints: readonly { readonly id: string; readonly suspensionReason: string | null }[];
}

/** What the summary of an order says, from its rows. */
export function factsOfOrder({ order, movements, disputed, endpoints, ...parts }: OrderParts): OrderFacts {
  const deliveries = toServers(parts.deliveries);
  const ofType = (type: string) => movements.filter((one) => one.type === type);
  const newest = disputed.toSorted((one, other) => other.createdAt - one.createdAt)[0];
  return {
    ...order,
    sold: namesOfItems(itemsIn(order.items)),
    method: order.methodLabel,
    underWay:
      ofType("processor_payment_in")
        .filter(({ status }) => status === "pending")
        .map(asCharged)
        .at(-1) ?? null,
    failedRefunds: notMadeAgain(
      ofType("processor_refund_failure").map(asCharged),
      ofType("processor_refund")
        .filter(({ status }) => status !== "failed")
        .map(asCharged),
    ),
    dispute: newest === undefined || isInquiry(newest.status) ? null : stateOfDispute(newest.status),
    disputeReason: newest?.reason ?? null,
    evidenceDueBy: newest?.evidenceDueBy ?? null,
    deliveries,
    isHeldBySupport: areHeldBySupport(deliveries, endpoints),
  };
}

/**
 * The deliveries by which an order's events reach the partner's own server: each event by the first webhook of its environment, or where
 * there is none, by those that the partner added. A message to people is none.
 */
function toServers(deliveries: OrderParts["deliveries"]): readonly Delivery[] {
  const sent = deliveries.filter(({ endpointId }) => !isForPeople(endpointId));
  return [...Map.groupBy(sent, ({ eventId }) => eventId).values()].flatMap((ofEvent) => {
    const others = ofEvent.filter(({ eventId, deliveryId }) => deliveryId !== eventId);
    const first = ofEvent.filter(({ eventId, deliveryId }) => deliveryId === eventId);
    return others.length === 0 || first.some(({ state }) => state !== "no_endpoint") ? first : others;
  });
}

interface Charged {
  readonly amount: number;
  readonly currency: string;
  readonly at: number;
}

/** A payment or a refund as the customer sees it: in what was charged. */
const asCharged = ({ amount, currency, chargedAmount, chargedCurrency, transactionDate }: OrderParts["movements"][number]): Charged => ({
  amount: Math.abs(chargedAmount ?? amount),
  currency: chargedAmount === null ? currency : (chargedCurrency ?? currency),
  at: transactionDate,
});

/** The failed refunds that were not made again: by a later one of the same amount. */
function notMadeAgain(failed: readonly Charged[], made: readonly Charged[]): Charged[] {
  const left = [...made];
  return failed.filter(({ amount, currency, at }) => {
    const again = left.findIndex((one) => one.amount === amount && one.currency === currency && one.at > at);
    if (again >= 0) left.splice(again, 1);
    return again < 0;
  });
}

/** Whether what is kept waits for support alone: its partner cannot resume these webhooks. */
function areHeldBySupport(deliveries: OrderParts["deliveries"], endpoints: OrderParts["endpoints"]): boolean {
  const held = new Set(endpoints.flatMap(({ id, suspensionReason }) => (suspensionReason === "operator" ? id : [])));
  const kept = deliveries.filter(({ state }) => state === "suspended");
  return kept.length > 0 && kept.every(({ endpointId }) => held.has(endpointId));
}
