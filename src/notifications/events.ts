import type { Environment } from "../core/environment.ts";
import { newId } from "../core/ids.ts";

/** What is told of a movement, without the prefix that all events of the card processor have. */
const transactionEvents = [
  "payment.succeeded",
  "payment.pending",
  "payment.failed",
  "refund.succeeded",
  "refund.failed",
  "dispute.opened",
  "dispute.won",
  "dispute.lost",
] as const;
const subscriptionEvents = ["subscription.started", "subscription.updated", "subscription.ended"] as const;

export type TransactionEventName = (typeof transactionEvents)[number];
export type SubscriptionEventName = (typeof subscriptionEvents)[number];

/** The events a partner can get; docs/events.md shows each. */
export type EventName = `Processor.${TransactionEventName | SubscriptionEventName | "payment_method.refused"}` | "Bank.payment.succeeded";

/** Every name there is, for the documentation to be held against. */
export const eventNames: readonly EventName[] = [
  ...transactionEvents.map((name) => `Processor.${name}` as const),
  ...subscriptionEvents.map((name) => `Processor.${name}` as const),
  "Processor.payment_method.refused",
  "Bank.payment.succeeded",
];

/** Something that happened and that a partner is told. `payload` joins the envelope, see {@link bodyOf}. */
export interface PartnerEvent {
  readonly id: string;
  /** Names what happened: the same cause makes one event, however often it is worked off. */
  readonly cause: string;
  readonly partnerId: string;
  readonly environment: Environment;
  readonly name: EventName;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Something that a movement shows, told once of each; `transaction` as operation 5 shows it. */
export function transactionEvent(
  name: TransactionEventName,
  partnerId: string,
  environment: Environment,
  transaction: { readonly id: string },
): PartnerEvent {
  return {
    id: newId("evt"),
    cause: `${name}:${transaction.id}`,
    partnerId,
    environment,
    name: `Processor.${name}`,
    payload: { transaction },
  };
}

/** Something that became of a subscription. `occasion` tells apart what can happen to it more than once. */
export function subscriptionEvent(
  name: SubscriptionEventName,
  partnerId: string,
  environment: Environment,
  subscription: { readonly id: string },
  occasion: string | null,
): PartnerEvent {
  const cause = [name, subscription.id, ...(occasion === null ? [] : [occasion])].join(":");
  return { id: newId("evt"), cause, partnerId, environment, name: `Processor.${name}`, payload: { subscription } };
}

/** The processor would not have some of a link's payment methods; the link exists without them. */
export function methodsRefused(
  run: { readonly recordId: string; readonly partnerId: string },
  environment: Environment,
  link: { readonly id: string; readonly refusedMethods: readonly string[] },
): PartnerEvent {
  return {
    id: newId("evt"),
    cause: `payment_method.refused:${link.id}`,
    partnerId: run.partnerId,
    environment,
    name: "Processor.payment_method.refused",
    payload: { payment_link_id: link.id, refused_payment_method_types: link.refusedMethods },
  };
}

/** A bank payment was paid (interface, "Events"). `status` is the bank's word that says so; the amount is in kopecks. */
export function bankPaymentSucceeded(
  payment: {
    readonly id: number;
    readonly orderId: string;
    readonly partnerId: string;
    readonly environment: Environment;
    readonly amountKopecks: number;
    readonly externalOrderId: string | null;
  },
  status: string,
): PartnerEvent {
  const { partnerId, environment } = payment;
  return {
    id: newId("evt"),
    cause: `bank.payment.succeeded:${payment.orderId}`,
    partnerId,
    environment,
    name: "Bank.payment.succeeded",
    payload: {
      Payment: {
        PaymentId: payment.id,
        OrderId: payment.orderId,
        Amount: payment.amountKopecks,
        Status: status,
        // A cart is of several products, so no single one is named.
        Data: { ep_order: payment.externalOrderId, ep_product_id: null },
      },
    },
  };
}
