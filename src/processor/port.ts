import type { CallBudget } from "../core/call-budget.ts";
import type { Period } from "../core/clock.ts";
import type { ServiceFailure } from "../core/errors.ts";
import type { BillingInterval } from "../core/money.ts";
import type { BalanceTransaction, PaymentFacts, ProcessorEvent, Source, SubscriptionFacts } from "./facts.ts";
import type { SearchRange, Span } from "./find-attributed.ts";

/** The domain's port to the card processor. It has one adapter. No other module knows the processor's types. */
export interface Processor {
  /**
   * Creates a payment link with its prices in one call. Repeated calls with one `call.key` create only one link.
   * @throws ServiceFailure `upstream_failed`, `upstream_timeout`; {@link PaymentMethodsRefused}; `FinalKeyFailure`.
   */
  createPaymentLink(link: NewPaymentLink, call: ProcessorCall): Promise<CreatedPaymentLink>;

  /**
   * The link with all of this metadata, if any. It shows the result of a call with an inconclusive answer. Payment
   * links have no creation time at the processor, so the search starts at the id of a link that is known to be older.
   */
  findPaymentLink(
    metadata: Readonly<Record<string, string>>,
    range: SearchRange,
    call: { budget: CallBudget },
  ): Promise<CreatedPaymentLink | null>;

  /** Deactivates a link: customers can no longer pay through it. */
  deactivatePaymentLink(id: string, call: { budget: CallBudget }): Promise<void>;

  /** Sets after how many completed checkouts a link closes (null: never), and whether customers can pay through it now. */
  limitPaymentLink(
    id: string,
    limit: { readonly atMost: number | null; readonly isActive: boolean },
    call: { budget: CallBudget },
  ): Promise<void>;

  /** How many checkouts customers began through a link in a period; at most `atMost`, newest first. */
  countCheckouts(id: string, period: Period, atMost: number, call: { budget: CallBudget }): Promise<number>;

  /** Activates a link that was deactivated. */
  activatePaymentLink(id: string, call: { budget: CallBudget }): Promise<void>;

  /**
   * Creates a product under the given id. If a product with this id exists, an earlier call created it, and this is no
   * error.
   */
  createProduct(product: NewProduct, call: { budget: CallBudget }): Promise<void>;

  /** Changes the customer-visible fields of a product. */
  changeProduct(product: ChangedProduct, call: { budget: CallBudget }): Promise<void>;

  /** The product of a price; null if the price does not exist. For operators. */
  productOfPrice(priceId: string, call: { budget: CallBudget }): Promise<string | null>;

  /** The lines of a link, in order. A cart has no more items than one page of the processor, so one call is enough. */
  listLinkItems(paymentLinkId: string, call: { budget: CallBudget }): Promise<LinkItem[]>;

  /** Creates a percentage coupon for these products only. Repeated calls with one `call.key` create only one coupon. */
  createCoupon(coupon: NewCoupon, call: ProcessorCall): Promise<CreatedCoupon>;

  /** The newest coupon with all of this metadata whose creation was requested in this period. */
  findCoupon(metadata: Readonly<Record<string, string>>, requestedIn: Span, call: { budget: CallBudget }): Promise<CreatedCoupon | null>;

  /** Deletes a coupon. It is not an error if the coupon is already deleted. */
  deleteCoupon(couponId: string, call: { budget: CallBudget }): Promise<void>;

  /** Creates the code that customers enter. @throws {@link PromotionCodeTaken}, and the failures that {@link Processor.createCoupon} throws. */
  createPromotionCode(code: NewPromotionCode, call: ProcessorCall): Promise<CreatedPromotionCode>;

  /** The active code with this text, if it exists and carries all of this metadata. */
  findPromotionCode(
    code: string,
    metadata: Readonly<Record<string, string>>,
    call: { budget: CallBudget },
  ): Promise<CreatedPromotionCode | null>;

  /** Deactivates a code: customers can no longer use it, and its text is available again. */
  deactivatePromotionCode(id: string, call: { budget: CallBudget }): Promise<void>;

  /** Schedules the end of a subscription at the end of its paid period, or removes this schedule. */
  setCancelAtPeriodEnd(subscriptionId: string, cancelAtPeriodEnd: boolean, call: { budget: CallBudget }): Promise<SubscriptionFacts>;

  /** The current facts of a payment or a subscription, as far as they can be found from `source`. */
  retrieve(source: Source, call: { budget: CallBudget }): Promise<PaymentFacts>;

  /**
   * The payments and subscriptions of a buyer until a time (Unix milliseconds), by the e-mail address of the checkout,
   * newest first, at most `limit`. An id is null if the checkout has no such object.
   */
  findPaymentsOfBuyer(email: string, until: number, limit: number, call: { budget: CallBudget }): Promise<BuyerPayment[]>;

  /** The payments and subscriptions through a payment link, newest first, at most `limit`. */
  findPaymentsOfLink(paymentLinkId: string, until: number, limit: number, call: { budget: CallBudget }): Promise<BuyerPayment[]>;

  /** Balance transactions created between two times (Unix milliseconds), newest first, at most `limit` of them. */
  listBalanceTransactions(from: number, to: number, limit: number, call: { budget: CallBudget }): Promise<BalanceTransaction[]>;

  /** The ids of the subscriptions, of every status, that were created between two times, as above. */
  listSubscriptions(from: number, to: number, limit: number, call: { budget: CallBudget }): Promise<string[]>;

  /**
   * Events of these types (at most 20) created between two times, newest first, at most `limit`; one month back at
   * most. Unreadable events are logged and left out of `events`, but `count` includes them.
   */
  listEvents(
    types: readonly string[],
    from: number,
    to: number,
    limit: number,
    call: { budget: CallBudget },
  ): Promise<{ readonly count: number; readonly events: ProcessorEvent[] }>;

  /** The read permissions that the API key of the processor lacks. Fourteen list calls with a limit of one. */
  findMissingRights(call: { budget: CallBudget }): Promise<MissingRight[]>;

  /** The event destinations with snapshot payloads. Null if the API key may not list them. */
  listEventDestinations(call: { budget: CallBudget }): Promise<EventDestination[] | null>;
}

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

export interface ProcessorCall {
  readonly key: string;
  readonly budget: CallBudget;
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
  readonly metadata: Readonly<Record<string, string>>;
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
  readonly metadata: Readonly<Record<string, string>>;
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
  readonly metadata: Readonly<Record<string, string>>;
}

export interface CreatedPromotionCode {
  readonly id: string;
  readonly couponId: string;
}

/** An active code with this text already exists in the account. Nothing was created. */
export class PromotionCodeTaken extends Error {
  override readonly name = "PromotionCodeTaken";
}
