import type { ProcessorObject } from "../state.ts";
import { addObject, findObject, later, nowInSeconds, randomId, type World } from "../world.ts";
import type { Charged, Payment, Settlement } from "./charge.ts";
import { makeEvent, sendEvents } from "./events.ts";

/** The processor's fee for a payment: 2.9 % and 30 minor units. */
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
  readonly exchangeRate?: number | null;
}

/** The reporting categories of the types that are not named as their category. */
const CATEGORIES: Readonly<Record<string, string>> = { payment: "charge", payment_refund: "refund" };

/** A balance transaction: it records a movement of money. The ledger's movement takes its id. */
function addBalanceTransaction(world: World, money: Money): ProcessorObject {
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
    reporting_category: money.category ?? CATEGORIES[money.type] ?? money.type,
    status: money.status ?? "pending",
    source: money.source,
    description: money.description ?? null,
    exchange_rate: money.exchangeRate ?? null,
    available_on: nowInSeconds(world) + 2 * 24 * 3600,
  });
}

/**
 * Creates the balance transaction of a charge that did not fail: for a card after the charge, as the processor does,
 * with an event; for a slow method, or without a delay, at once.
 */
export function transactCharge(world: World, { charge, transactionId }: Charged, payment: Payment): void {
  const isSlow = charge.status === "pending";
  const delay = isSlow ? 0 : (payment.balance_after_ms ?? world.balanceDelay);
  const add = () => addChargeTransaction(world, charge, transactionId, isSlow ? "payment" : "charge", payment.settlement);
  if (delay === 0) {
    add();
    return;
  }
  later(world, delay, async () => {
    add();
    await sendEvents(world, [makeEvent(world, "charge.updated", charge, { balance_transaction: null })]);
  });
}

/** Adds the balance transaction of a charge, under its reserved id. */
function addChargeTransaction(
  world: World,
  charge: ProcessorObject,
  id: string,
  type: "charge" | "payment",
  settlement?: Settlement,
): ProcessorObject {
  const amount = Math.round(Number(charge.amount) * (settlement?.exchange_rate ?? 1));
  charge.balance_transaction = id;
  return addBalanceTransaction(world, {
    id,
    livemode: charge.livemode,
    amount,
    fee: feeOf(amount),
    currency: (settlement?.currency ?? String(charge.currency)).toLowerCase(),
    exchangeRate: settlement?.exchange_rate ?? null,
    type,
    source: charge.id,
    description: typeof charge.description === "string" ? charge.description : null,
  });
}

/** Adds a later balance transaction for a charge, in the charge's settlement currency and at its rate. */
export function addMovement(
  world: World,
  charge: ProcessorObject,
  money: Pick<Money, "amount" | "type" | "source"> & Partial<Pick<Money, "fee" | "category">>,
): ProcessorObject {
  const original = findObject(world, charge.balance_transaction);
  const exchangeRate = typeof original?.exchange_rate === "number" ? original.exchange_rate : null;
  return addBalanceTransaction(world, {
    ...money,
    amount: Math.round(money.amount * (exchangeRate ?? 1)),
    livemode: charge.livemode,
    currency: String(original?.currency ?? charge.currency),
    exchangeRate,
  });
}

/** What the processor settles with us: a payout to our bank account, a fee, a reserve. No charge belongs to it. Amounts in minor units. */
export function addPlatformTransaction(world: World, money: Omit<Money, "source">): ProcessorObject {
  return addBalanceTransaction(world, { ...money, source: randomId(money.type === "payout" ? "po" : "fee") });
}
