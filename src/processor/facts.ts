import type { JsonObject } from "../core/json.ts";

/** What the processor says of money and of subscriptions, in this service's words. */

/** Amounts in minor units of the settlement currency (upper case), signed; `created` in Unix milliseconds. */
export interface BalanceTransaction {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  readonly created: number;
  readonly description: string | null;
  /** What an accountant calls it, as the processor says; a dispute is made of several kinds of type `adjustment`. */
  readonly category: string;
}

/** One of the processor's objects as it came, for snapshots, without the addresses of its pages. */
export interface ProcessorObject {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
}

export interface SubscriptionFacts {
  readonly id: string;
  readonly status: string;
  readonly cancelAtPeriodEnd: boolean;
  /** Unix milliseconds. */
  readonly cancelAt: number | null;
  readonly currentPeriodEnd: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The object as it came, without the addresses of the processor's pages. */
  readonly object: ProcessorObject;
}

/** What a payment can be asked for by. */
export interface PaymentSource {
  readonly kind: "charge" | "payment_intent" | "refund" | "dispute" | "balance_transaction";
  readonly id: string;
}

/** A transaction is null while the processor has not computed it yet, and where there is none. */
export interface ChargeFacts {
  readonly id: string;
  readonly status: "succeeded" | "pending" | "failed";
  readonly description: string | null;
  readonly transaction: BalanceTransaction | null;
  /** What took the money of a payment back that failed after it had been counted. */
  readonly failureTransaction: BalanceTransaction | null;
}

export interface RefundFacts {
  readonly id: string;
  readonly status: "succeeded" | "pending" | "failed";
  readonly transaction: BalanceTransaction | null;
  /** What gave the money back to the account, the refund having failed. */
  readonly failureTransaction: BalanceTransaction | null;
}

interface DisputeFacts {
  readonly id: string;
  readonly verdict: "won" | "lost" | null;
  /** What was withdrawn, given back or set right; none as long as the bank only inquires. */
  readonly transactions: readonly BalanceTransaction[];
}

/**
 * All that is known of a payment at one moment, as far as it was asked for: the charge always, where there is one; a
 * refund or a dispute where it, or its transaction, was asked for.
 */
export interface PaymentFacts {
  readonly charge: ChargeFacts | null;
  readonly refund: RefundFacts | null;
  readonly dispute: DisputeFacts | null;
  /** The balance transaction that was asked for by its own id, whatever it belongs to. */
  readonly transaction: BalanceTransaction | null;
  readonly paymentIntentId: string | null;
  /** What was set when the link was made, found on the payment or, for a subscription, through its invoice. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The link that the customer paid through, where its checkout session is known. */
  readonly paymentLinkId: string | null;
  readonly subscriptionId: string | null;
  /** The subscription that the charge pays for, as it is now; null also where the processor will not show it. */
  readonly subscription: SubscriptionFacts | null;
  readonly clientReferenceId: string | null;
  readonly objects: readonly ProcessorObject[];
}

/** A line of the processor's own list of what moved money. */
export interface ListedTransaction {
  readonly id: string;
  readonly type: string;
}
