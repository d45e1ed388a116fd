import type { ProcessorObject } from "../state.ts";
import { addObject, nowInSeconds, randomId, type World } from "../world.ts";

/** What the processor keeps of a payment: 2.9 % and 30 minor units. */
function feeOf(amount: number): number {
  return Math.round(amount * 0.029) + 30;
}

interface Money {
  readonly id?: string;
  readonly livemode: boolean;
  readonly amount: number;
  readonly fee?: number;
  readonly currency: string;
  readonly type: string;
  readonly category?: string;
  readonly status?: "available" | "pending";
  readonly source: string;
  readonly description?: string | null;
}

/** A balance transaction: the row that moves money, and that a movement of the ledger is named after. */
export function addBalanceTransaction(world: World, money: Money): ProcessorObject {
  const fee = money.fee ?? 0;
  return addObject(world, "txn", {
    id: money.id ?? randomId("txn"),
    object: "balance_transaction",
    livemode: money.livemode,
    amount: money.amount,
    fee,
    net: money.amount - fee,
    currency: money.currency,
    type: money.type,
    reporting_category: money.category ?? money.type,
    status: money.status ?? "pending",
    source: money.source,
    description: money.description ?? null,
    exchange_rate: null,
    available_on: nowInSeconds(world) + 2 * 24 * 3600,
  });
}

/** The transaction of a charge, under the id that was set aside for it. */
export function addChargeTransaction(world: World, charge: ProcessorObject, id: string, type: "charge" | "payment"): ProcessorObject {
  const amount = Number(charge.amount);
  charge.balance_transaction = id;
  return addBalanceTransaction(world, {
    id,
    livemode: charge.livemode,
    amount,
    fee: feeOf(amount),
    currency: String(charge.currency),
    type,
    source: charge.id,
    description: typeof charge.description === "string" ? charge.description : null,
  });
}
