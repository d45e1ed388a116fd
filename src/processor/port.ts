import type { Deadline } from "../core/deadline.ts";
import type { ListedEvent } from "./events.ts";
import type { ListedTransaction, PaymentFacts, PaymentSource, SubscriptionFacts } from "./facts.ts";

/** The card processor as the domain sees it. Behind it stands one adapter; nobody else knows the processor's types. */
export interface Processor {
  /**
   * Makes a payment link with its prices in one call. Under one `call.key` it makes one link, however often it is
   * called. @throws ServiceFailure `upstream_failed`, `upstream_timeout`; {@link MethodsRefused}; `SettledFailure`.
   */
  createPaymentLink(link: NewPaymentLink, call: ProcessorCall): Promise<CreatedPaymentLink>;

  /** The newest link that carries all of this metadata, if there is one: what became of a call whose answer says nothing. */
  findPaymentLink(metadata: Readonly<Record<string, string>>, call: { deadline: Deadline }): Promise<CreatedPaymentLink | null>;

  /** The lines of a link, in order. At most 20 lines exist, so one call is enough. */
  listLinkItems(paymentLinkId: string, call: { deadline: Deadline }): Promise<LinkItem[]>;

  /** Makes a percentage coupon that applies to these products alone. Under one `call.key` it makes one. */
  createCoupon(coupon: NewCoupon, call: ProcessorCall): Promise<CreatedCoupon>;

  /** The newest coupon that carries all of this metadata, if there is one. */
  findCoupon(metadata: Readonly<Record<string, string>>, call: { deadline: Deadline }): Promise<CreatedCoupon | null>;

  /** Takes a coupon away; one that is gone already is fine. */
  deleteCoupon(couponId: string, call: { deadline: Deadline }): Promise<void>;

  /** Makes the code that customers type. @throws {@link CodeTaken}, and as {@link Processor.createPaymentLink}. */
  createPromotionCode(code: NewPromotionCode, call: ProcessorCall): Promise<CreatedPromotionCode>;

  /** The active code of this text, if there is one and it carries all of this metadata. */
  findPromotionCode(
    code: string,
    metadata: Readonly<Record<string, string>>,
    call: { deadline: Deadline },
  ): Promise<CreatedPromotionCode | null>;

  /** Ends a code: nobody can use it any more, and its text is free again. */
  deactivatePromotionCode(id: string, call: { deadline: Deadline }): Promise<void>;

  /** A subscription as it is now. */
  retrieveSubscription(subscriptionId: string, call: { deadline: Deadline }): Promise<SubscriptionFacts>;

  /** Schedules the end of a subscription at the end of its paid period, or takes that back. */
  setCancelAtPeriodEnd(subscriptionId: string, cancelAtPeriodEnd: boolean, call: { deadline: Deadline }): Promise<SubscriptionFacts>;

  /** The link that a subscription was begun through; null where its checkout session is not known, or had none. */
  findLinkOfSubscription(subscriptionId: string, call: { deadline: Deadline }): Promise<string | null>;

  /** All that can be known of a payment by what is asked for, as it is now. */
  retrievePayment(source: PaymentSource, call: { deadline: Deadline }): Promise<PaymentFacts>;

  /** Balance transactions made between two moments (Unix milliseconds), newest first, at most `limit` of them. */
  listBalanceTransactions(from: number, to: number, limit: number, call: { deadline: Deadline }): Promise<ListedTransaction[]>;

  /** Events of these types (20 at most) made between two moments, newest first, at most `limit`; a month back at most. */
  listEvents(types: readonly string[], from: number, to: number, limit: number, call: { deadline: Deadline }): Promise<ListedEvent[]>;
}

export interface ProcessorCall {
  readonly key: string;
  readonly deadline: Deadline;
}

export interface NewPaymentLink {
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly items: readonly { readonly productId: string; readonly unitAmount: number; readonly quantity: number }[];
  /** The period of a subscription; null for a one-time payment. */
  readonly recurring: { readonly interval: "day" | "week" | "month" | "year"; readonly intervalCount: number } | null;
  /** Days before the first payment of a subscription; 0: none. */
  readonly trialDays: number;
  readonly paymentMethodTypes: readonly string[];
  readonly allowPromotionCodes: boolean;
  readonly successUrl: string | null;
  /** Set on the link, and on the payment or subscription that comes of it: this is how money finds its partner. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface CreatedPaymentLink {
  readonly id: string;
  /** The full checkout address: it goes into the short link and nowhere else. */
  readonly url: string;
}

export interface LinkItem {
  readonly productId: string;
  readonly priceId: string;
  readonly quantity: number;
}

/** The processor takes no payments by these methods, or not for this link. Nothing was made. */
export class MethodsRefused extends Error {
  override readonly name = "MethodsRefused";
  readonly methods: readonly string[];
  constructor(methods: readonly string[]) {
    super(`the processor refuses ${methods.join(", ")}`);
    this.methods = methods;
  }
}

export interface NewCoupon {
  /** 1 to 100. */
  readonly percentOff: number;
  readonly duration: "once" | "forever" | "repeating";
  readonly durationInMonths: number | null;
  readonly productIds: readonly string[];
  /** What customers see on their invoice. */
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

/** An active code of this text exists in the account. Nothing was made. */
export class CodeTaken extends Error {
  override readonly name = "CodeTaken";
}
