import { isInquiry, stateOfDispute } from "../core/object-states.ts";
import type { Movement } from "../ledger/movement.ts";
import { itemsIn, namesOfItems } from "../orders/items.ts";
import type { OrderRow } from "../orders/store.ts";
import type { OrderFacts } from "./of-order.ts";

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
  readonly deliveries: readonly { readonly state: string; readonly attempts: number; readonly endpointId: string }[];
  /** The webhooks of these. */
  readonly endpoints: readonly { readonly id: string; readonly suspensionReason: string | null }[];
}

/** What the summary of an order says, from its rows. */
export function factsOfOrder({ order, movements, disputed, deliveries, endpoints }: OrderParts): OrderFacts {
  const ofType = (type: string) => movements.filter((one) => one.type === type);
  const newest = disputed.toSorted((one, other) => other.createdAt - one.createdAt)[0];
  return {
    ...order,
    sold: namesOfItems(itemsIn(order.items)),
    method: order.methodLabel,
    failedRefunds: notMadeAgain(
      ofType("processor_refund_failure").map(refundOf),
      ofType("processor_refund")
        .filter(({ status }) => status !== "failed")
        .map(refundOf),
    ),
    dispute: newest === undefined || isInquiry(newest.status) ? null : stateOfDispute(newest.status),
    disputeReason: newest?.reason ?? null,
    evidenceDueBy: newest?.evidenceDueBy ?? null,
    deliveries,
    isHeldBySupport: areHeldBySupport(deliveries, endpoints),
  };
}

interface Refund {
  readonly amount: number;
  readonly currency: string;
  readonly at: number;
}

/** A refund as the customer gets it: in what was charged. */
const refundOf = ({ amount, currency, chargedAmount, chargedCurrency, transactionDate }: OrderParts["movements"][number]): Refund => ({
  amount: Math.abs(chargedAmount ?? amount),
  currency: chargedAmount === null ? currency : (chargedCurrency ?? currency),
  at: transactionDate,
});

/** The failed refunds that were not made again: by a later one of the same amount. */
function notMadeAgain(failed: readonly Refund[], made: readonly Refund[]): Refund[] {
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
