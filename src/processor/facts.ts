import type { Environment } from "../core/environment.ts";
import type { JsonObject } from "../core/json.ts";

/** The processor's data about money and subscriptions, in this service's terms. */

/** Amounts in minor units of the settlement currency (upper case), signed; `created` in Unix milliseconds. */
export interface BalanceTransaction {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  readonly created: number;
  /** When the processor makes it available, in Unix milliseconds. */
  readonly availableAt: number;
  readonly description: string | null;
  /** The processor's reporting category. A dispute has several categories, all with the type `adjustment`. */
  readonly reportingCategory: string;
}

/** A processor object as received, for snapshots, without the URLs of the processor's pages. */
export interface ProcessorObject {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
}

/** An item of a subscription. `unitAmount`: of one, in minor units; null for a price without one, such as a tiered price. */
export interface SubscribedItem {
  readonly productId: string;
  readonly priceId: string;
  readonly quantity: number;
  readonly unitAmount: number | null;
}

export interface SubscriptionFacts {
  readonly id: string;
  readonly status: string;
  /** When it began and when it ended, in Unix milliseconds; null while it goes on. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly cancelAtPeriodEnd: boolean;
  /** Unix milliseconds. */
  readonly cancelAt: number | null;
  readonly currentPeriodEnd: number | null;
  /** Whether the processor currently collects no payments for it, whatever its status is. */
  readonly collectionPaused: boolean;
  readonly items: readonly SubscribedItem[];
  /** ISO 4217, upper case. */
  readonly currency: string;
  /** The unit of its period, and how many of them a period has. */
  readonly interval: string | null;
  readonly intervalCount: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The object as received, without the URLs of the processor's pages. */
  readonly object: ProcessorObject;
}

/** The discount of a payment, positive, in minor units of the charged currency (upper case). */
export interface DiscountFacts {
  readonly amount: number;
  readonly currency: string;
  /** The code that the customer entered, and its id; null for a discount without a code, and for a renewal. */
  readonly promotionCode: string | null;
  readonly promotionCodeId: string | null;
}

/** Who paid, as the checkout or the payment method names them. Personal: it is stored in orders alone. */
export interface BuyerFacts {
  readonly email: string | null;
  readonly name: string | null;
}

/** A completed one-time checkout without a payment: a promotion code reduced the total to zero. */
interface FreeCheckoutFacts {
  readonly id: string;
  /** Unix milliseconds. */
  readonly created: number;
  /** What was let off, in minor units. */
  readonly discount: number;
  /** In minor units; 0. */
  readonly amountTotal: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly items: readonly { readonly productId: string; readonly priceId: string; readonly quantity: number }[];
  /** The code that the customer entered, and its id; null for a discount without a code. */
  readonly promotionCode: string | null;
  readonly promotionCodeId: string | null;
}

/** A checkout that ended before the customer paid. */
interface ExpiredCheckoutFacts {
  readonly id: string;
  /** Unix milliseconds. */
  readonly expiredAt: number;
  /** In minor units. */
  readonly amountTotal: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
}

/**
 * The kinds of ids from which a payment, or a subscription without one, can be found. A checkout session and an invoice
 * lead to their payment; without a payment, as with a trial, they lead to the subscription.
 */
export interface Source {
  readonly kind:
    | "charge"
    | "payment_intent"
    | "refund"
    | "dispute"
    | "balance_transaction"
    | "checkout_session"
    | "invoice"
    | "subscription";
  readonly id: string;
}

/** How it was paid: the processor's word, and the text that people say. */
export interface PaymentMethod {
  readonly type: string;
  readonly label: string;
}

/** A transaction is null if the processor has not computed it yet, or if there is none. */
export interface ChargeFacts {
  readonly id: string;
  readonly status: "succeeded" | "pending" | "failed";
  /** The amount due, positive, in minor units of the link's currency (upper case). */
  readonly amount: number;
  readonly currency: string;
  /** Unix milliseconds. */
  readonly created: number;
  readonly description: string | null;
  readonly method: PaymentMethod | null;
  /** The processor's page with the customer's receipt. It appears in no answer to a partner, and in no log. */
  readonly receiptUrl: string | null;
  readonly transaction: BalanceTransaction | null;
  /** The reversal of a payment that failed after it was booked. */
  readonly failureTransaction: BalanceTransaction | null;
}

export interface RefundFacts {
  readonly id: string;
  readonly status: "succeeded" | "pending" | "failed";
  /** The planned refund, positive, in minor units of the payment's currency (upper case). */
  readonly amount: number;
  readonly currency: string;
  /** Unix milliseconds. */
  readonly created: number;
  readonly transaction: BalanceTransaction | null;
  /** The return of the money to the account, after the refund failed. */
  readonly failureTransaction: BalanceTransaction | null;
}

export interface DisputeFacts {
  readonly id: string;
  /** The processor's status. A status that begins with `warning_` is of an inquiry, which has taken no money. */
  readonly status: string;
  readonly outcome: "won" | "lost" | null;
  /** The customer's reason, in the processor's word. */
  readonly reason: string;
  /** Unix milliseconds. */
  readonly created: number;
  /** When evidence must be there at the latest, in Unix milliseconds; null if none can be given. */
  readonly evidenceDueBy: number | null;
  /** The disputed amount, positive, in minor units of the payment's currency (upper case). */
  readonly amount: number;
  readonly currency: string;
  /** Withdrawals, returns and corrections. Empty while the bank only inquires. */
  readonly transactions: readonly BalanceTransaction[];
}

/**
 * The facts of a payment or a subscription at one point in time, as far as they were requested. The charge is always
 * included if there is one. A refund or a dispute is included if it, or its balance transaction, was requested.
 */
export interface PaymentFacts {
  readonly charge: ChargeFacts | null;
  readonly refund: RefundFacts | null;
  readonly dispute: DisputeFacts | null;
  /** The balance transaction that was requested by its own id, with any source. */
  readonly transaction: BalanceTransaction | null;
  readonly paymentIntentId: string | null;
  /** The metadata set at link creation, read from the payment or, for a subscription, through its invoice. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The link that the customer used to pay, if its checkout session is known. */
  readonly paymentLinkId: string | null;
  readonly subscriptionId: string | null;
  /** The current subscription, paid or not. It is also null if the processor denies access to it. */
  readonly subscription: SubscriptionFacts | null;
  /** A checkout that was completed without a payment or a subscription; null for any other source. */
  readonly freeCheckout: FreeCheckoutFacts | null;
  /** A checkout that ended unpaid; null for any other source. */
  readonly expiredCheckout: ExpiredCheckoutFacts | null;
  /** An invoice of the subscription that was settled without a payment here (nothing due, credit, paid elsewhere); else null. */
  readonly settledInvoiceId: string | null;
  /** The discount of the payment; null if there is none, or for any other source. */
  readonly discount: DiscountFacts | null;
  /** Of a payment or of a free checkout; null for any other source. */
  readonly buyer: BuyerFacts | null;
  /** The order reference of the checkout that was paid; null for a renewal. */
  readonly clientReferenceId: string | null;
  /** The order reference of the checkout that started the subscription, if known; null for a one-time payment. */
  readonly subscriptionReferenceId: string | null;
  readonly objects: readonly ProcessorObject[];
  /**
   * An object that the processor will connect with the payment, and has not yet; null if nothing is missing. The charge
   * of a subscription may come before its invoice and its subscription (processor API, since 2025-03-31), and before
   * its checkout session names the subscription.
   */
  readonly missing: "checkout_session" | "payment" | null;
}

/** An event, or an internal event for one that never came. The object is fetched again, so only ids are kept. */
export interface ProcessorEvent {
  readonly id: string;
  /**
   * The id of the event's payment or subscription, as far as the event shows it; otherwise the object's id. Events with
   * one subject are processed together.
   */
  readonly subject: string;
  readonly type: string;
  readonly environment: Environment;
  readonly objectId: string;
  /** The partner that the metadata of its object names; null if it names none. */
  readonly partnerId: string | null;
}
