import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, randomId, type World } from "../world.ts";

/** Settlement of a payment in another currency than its own. */
export interface Settlement {
  readonly currency: string;
  /** Minor units of the settlement currency for one minor unit of the payment. */
  readonly exchange_rate: number;
}

export interface Payment {
  readonly client_reference_id?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly method?: string | null | undefined;
  /** A promotion code that the customer enters. */
  readonly promotion_code?: string | null | undefined;
  /** Delay of the balance transaction in milliseconds; 0: created with the charge. Default: {@link World.balanceDelay}. */
  readonly balance_after_ms?: number | undefined;
  /** Delay of the subscription and its invoice after the charge, in milliseconds; default 0. */
  readonly subscription_after_ms?: number | undefined;
  readonly outcome?: "succeeded" | "pending" | "failed" | undefined;
  /** Settlement currency and rate; default: the payment's own currency. */
  readonly settlement?: Settlement | undefined;
}

/** The objects of one payment. The balance transaction's id is reserved at once, even if it is created later. */
export interface Charged {
  readonly intent: ProcessorObject;
  readonly charge: ProcessorObject;
  readonly transactionId: string;
}

export interface Money {
  readonly livemode: boolean;
  readonly amount: number;
  readonly currency: string;
}

/** Adds a payment intent and its charge, with the statuses for the payment's outcome. */
export function addCharge(world: World, money: Money & { metadata: object; description: string | null }, payment: Payment): Charged {
  const outcome = payment.outcome ?? "succeeded";
  const intentStatus = { succeeded: "succeeded", pending: "processing", failed: "requires_payment_method" }[outcome];
  const intent = addObject(world, "pi", {
    object: "payment_intent",
    ...money,
    status: intentStatus,
    amount_received: outcome === "succeeded" ? money.amount : 0,
    latest_charge: null,
    client_secret: randomId("secret"),
    last_payment_error: outcome === "failed" ? declined(payment) : null,
  });
  const charge = addObject(world, outcome === "pending" ? "py" : "ch", {
    object: "charge",
    ...money,
    status: outcome,
    paid: outcome === "succeeded",
    captured: outcome === "succeeded",
    amount_captured: outcome === "succeeded" ? money.amount : 0,
    payment_intent: intent.id,
    balance_transaction: null,
    failure_balance_transaction: null,
    amount_refunded: 0,
    refunded: false,
    disputed: false,
    billing_details: { email: payment.email ?? null },
    payment_method_details: methodDetails(payment.method ?? "card"),
    receipt_url: `${world.origin}/receipts/${intent.id}`,
  });
  intent.latest_charge = charge.id;
  return { intent, charge, transactionId: randomId("txn") };
}

const methodDetails = (type: string) => (type === "card" ? { type, card: { brand: "visa", last4: "4242" } } : { type });

/** Why a payment failed, with the method that the customer used. */
function declined({ email = null, method }: Payment) {
  const type = method ?? "card";
  return {
    type: "card_error",
    code: "card_declined",
    decline_code: "generic_decline",
    message: "Your card was declined.",
    payment_method: {
      id: randomId("pm"),
      object: "payment_method",
      type,
      billing_details: { email, name: null, phone: null, address: null, tax_id: null },
    },
  };
}

/** The latest charge of a payment intent. */
export function chargeOf(world: World, intentId: string): ProcessorObject {
  return getObject(world, "charge", getObject(world, "payment_intent", intentId).latest_charge);
}
