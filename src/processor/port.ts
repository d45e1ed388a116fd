import type { CallBudget } from "../core/call-budget.ts";
import type { ServiceFailure } from "../core/errors.ts";
import type { BillingInterval } from "../core/money.ts";

/** What an object at the processor carries for us. */
export type Metadata = Readonly<Record<string, string>>;

/** A permission that a key lacks, with its name in the processor's dashboard, and what does not work without it. */
export interface MissingRight {
  readonly right: string;
  readonly without: string;
}

/** The destination of the processor's events of one environment. */
export interface EventDestination {
  readonly url: string;
  readonly isEnabled: boolean;
  /** Null for the account's default API version. */
  readonly apiVersion: string | null;
  /** The event types; `*` alone for all. */
  readonly types: readonly string[];
}

export interface BuyerPayment {
  /** The checkout. It has neither a payment nor a subscription if nothing was to be paid, or if it was not completed. */
  readonly checkoutSessionId: string;
  readonly paymentIntentId: string | null;
  readonly subscriptionId: string | null;
}

/** A call with the time that it has. */
export interface Call {
  readonly budget: CallBudget;
}

/** A call under an idempotency key. */
export interface ProcessorCall extends Call {
  readonly key: string;
  /** Whether an earlier run may have sent this call with this key. */
  readonly wasSent: boolean;
}

export interface NewPaymentLink {
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly items: readonly { readonly productId: string; readonly unitAmount: number; readonly quantity: number }[];
  /** The period of a subscription; null for a one-time payment. */
  readonly recurring: { readonly interval: BillingInterval; readonly intervalCount: number } | null;
  /** Days before the first payment of a subscription; 0: none. */
  readonly trialDays: number;
  readonly paymentMethodTypes: readonly string[];
  readonly allowPromotionCodes: boolean;
  readonly successUrl: string | null;
  /** Set on the link, and on each payment or subscription created from it. It attributes payments to their partner. */
  readonly metadata: Metadata;
}

/** The customer-visible fields of a product. */
export interface NewProduct {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

/** A change of a product: missing fields stay unchanged. */
export type ChangedProduct = Pick<NewProduct, "id"> & Partial<Omit<NewProduct, "id">>;

export interface CreatedPaymentLink {
  readonly id: string;
  /** The full checkout URL. It is only used as the target of the short link. */
  readonly url: string;
}

export interface LinkItem {
  readonly productId: string;
  readonly priceId: string;
  readonly quantity: number;
}

/** The processor does not accept these payment methods, or not for this link. Nothing was created. */
export class PaymentMethodsRefused extends Error {
  override readonly name = "PaymentMethodsRefused";
  readonly methods: readonly string[];
  /** `cause` is the processor's refusal. */
  constructor(methods: readonly string[], cause: ServiceFailure) {
    super(`the processor refuses ${methods.join(", ")}`, { cause });
    this.methods = methods;
  }
}

export interface NewCoupon {
  /** 1 to 100. */
  readonly percentOff: number;
  readonly duration: "once" | "forever" | "repeating";
  readonly durationInMonths: number | null;
  readonly productIds: readonly string[];
  /** The name on the customer's invoice. */
  readonly name: string;
  readonly metadata: Metadata;
}

export interface CreatedCoupon {
  readonly id: string;
}

export interface NewPromotionCode {
  readonly couponId: string;
  readonly code: string;
  readonly maxRedemptions: number | null;
  /** Unix milliseconds; the processor counts in seconds. */
  readonly expiresAt: number | null;
  readonly metadata: Metadata;
}

export interface CreatedPromotionCode {
  readonly id: string;
  readonly couponId: string;
}

/** An active code with this text already exists in the account. Nothing was created. */
export class PromotionCodeTaken extends Error {
  override readonly name = "PromotionCodeTaken";
}
