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
  /** Those of the ruble bank. */
  readonly ofBank: readonly { readonly type: string; readonly transactionDate: number }[];
  readonly disputed: readonly {
    readonly status: string;
    readonly reason: string;
    readonly createdAt: number;
    readonly evidenceDueBy: number | null;
  }[];
  readonly deliveries: OrderFacts["deliveries"];
  /** Why the webhooks of its events are suspended; null of one that is not. */
  readonly suspensions: readonly (string | null)[];
}

/** What the summary of an order says, from its rows. */
export function factsOfOrder({ order, movements, ofBank, disputed, deliveries, suspensions }: OrderParts): OrderFacts {
  const ofType = (type: string) => movements.filter((one) => one.type === type);
  const refunds = [
    ...ofType("processor_refund").filter(({ status }) => status !== "failed"),
    ...ofBank.filter(({ type }) => type === "bank_refund"),
  ];
  const times = refunds.map(({ transactionDate }) => transactionDate);
  const newest = disputed.toSorted((one, other) => other.createdAt - one.createdAt)[0];
  return {
    ...order,
    sold: namesOfItems(itemsIn(order.items)),
    method: order.methodLabel,
    refundedAt: times.length === 0 ? null : Math.max(...times),
    failedRefunds: ofType("processor_refund_failure").map(({ amount, currency, chargedAmount, chargedCurrency, transactionDate }) => ({
      amount: Math.abs(chargedAmount ?? amount),
      currency: chargedAmount === null ? currency : (chargedCurrency ?? currency),
      at: transactionDate,
    })),
    dispute: newest === undefined || isInquiry(newest.status) ? null : stateOfDispute(newest.status),
    disputeReason: newest?.reason ?? null,
    evidenceDueBy: newest?.evidenceDueBy ?? null,
    deliveries,
    isHeldBySupport: suspensions.includes("operator"),
  };
}
