import * as z from "zod";
import type { CardProduct } from "../catalogue/card-products.ts";
import { rejectInput } from "../core/errors.ts";
import { type LinkCurrency, linkCurrencies } from "../core/money.ts";
import { checkTotal, linkPlanSchema } from "./link-plan.ts";
import { checkPaymentMethods, contentOfMethods, defaultPaymentMethods } from "./payment-methods.ts";

/** A partner's request for an additional link of a product, after schema validation. */
export interface ProductLinkRequest {
  readonly productId: string;
  /** Minor units per unit (and per period). */
  readonly unitAmount: number;
  readonly currency: LinkCurrency | undefined;
  /** For subscriptions only, as sent: for a one-time product, even a wrong value is ignored (interface 1.3). */
  readonly intervalCount: unknown;
  readonly trialDays: unknown;
  readonly paymentMethodTypes: readonly string[] | undefined;
  readonly allowPromotionCodes: boolean;
  readonly successUrl: string | undefined;
  readonly quantity: number;
}

export const productLinkPlanSchema = linkPlanSchema.extend({ currencySource: z.enum(["inherited", "overridden"]) });

/** The resolved product link. It is complete before the first side effect. */
export type ProductLinkPlan = z.infer<typeof productLinkPlanSchema>;

/** The paths of request fields, for error messages. */
const FIELDS = { unitAmount: "unitAmount", intervalCount: "intervalCount", trialDays: "trialDays", methods: "paymentMethodTypes" } as const;

/** The defaults of a subscription (interface 1.3). */
const DEFAULTS = { intervalCount: 1, trialDays: 0 } as const;

/** The processor's maximum billing interval is three years. */
const MAX_INTERVAL = { day: 1095, week: 156, month: 36, year: 3 } as const;

/**
 * Checks what does not depend on the catalogue: methods that do not support the requested currency (interface L.7).
 * @throws ServiceFailure `invalid_input`.
 */
export function checkProductLink({ currency, paymentMethodTypes }: ProductLinkRequest): void {
  if (currency !== undefined) checkPaymentMethods(paymentMethodTypes ?? [], currency, FIELDS.methods);
}

/**
 * Resolves a link request to a plan (interface 1.1, 1.6, L.8). Type, interval and environment come from
 * the product; so does the currency, unless the request has one. Payment methods are checked against the effective
 * currency.
 * @throws ServiceFailure `invalid_input`.
 */
export function planProductLink(request: ProductLinkRequest, product: CardProduct): ProductLinkPlan {
  const currency = request.currency ?? product.currency;
  const { paymentMethodTypes: methods } = request;
  checkPaymentMethods(methods ?? [], currency, FIELDS.methods);
  checkTotal([request], currency, FIELDS.unitAmount);
  const defaults = [...defaultPaymentMethods([product], currency)];
  return {
    environment: product.environment,
    currency,
    currencySource: request.currency === undefined ? "inherited" : "overridden",
    ...termsOf(request, product),
    items: [{ productId: request.productId, name: product.name, unitAmount: request.unitAmount, quantity: request.quantity }],
    paymentMethodTypes: methods === undefined ? defaults : [...new Set(methods)],
    defaultPaymentMethodTypes: defaults,
    allowPromotionCodes: request.allowPromotionCodes,
    successUrl: request.successUrl ?? null,
  };
}

/**
 * The content that identifies a request: its fields as sent with their defaults, and the effective currency (interface
 * F.3). `productCurrency` is the catalogue's; null if the product cannot be read. Then there is one content for each
 * currency that the product may have had.
 */
export function contentsOfProductLink(request: ProductLinkRequest, productCurrency: string | null): [object, ...object[]] {
  const contentWith = (effectiveCurrency: string) => ({
    ...request,
    intervalCount: request.intervalCount ?? DEFAULTS.intervalCount,
    trialDays: request.trialDays ?? DEFAULTS.trialDays,
    currency: request.currency ?? null,
    effectiveCurrency,
    paymentMethodTypes: contentOfMethods(request.paymentMethodTypes),
    successUrl: request.successUrl ?? null,
  });
  const known = request.currency ?? productCurrency;
  if (known !== null) return [contentWith(known)];
  const [first, ...others] = linkCurrencies;
  return [contentWith(first), ...others.map(contentWith)];
}

/** The terms of a subscription. For a one-time product, the request's subscription fields are ignored (interface 1.3). */
function termsOf({ intervalCount, trialDays }: ProductLinkRequest, product: CardProduct): Pick<ProductLinkPlan, "recurring" | "trialDays"> {
  if (product.type === "one_time") return { recurring: null, trialDays: 0 };
  const { interval } = product;
  const most = MAX_INTERVAL[interval];
  const count = wholeNumber(intervalCount ?? DEFAULTS.intervalCount, 1, FIELDS.intervalCount);
  if (count > most) rejectInput(`must be at most ${most} for a product billed by the ${interval}`, FIELDS.intervalCount);
  return { recurring: { interval, intervalCount: count }, trialDays: wholeNumber(trialDays ?? DEFAULTS.trialDays, 0, FIELDS.trialDays) };
}

/** @throws ServiceFailure `invalid_input` for anything but a whole number from `least` on. */
function wholeNumber(value: unknown, least: number, field: string): number {
  const { success, data } = z.int().min(least).safeParse(value);
  return success ? data : rejectInput(`must be an integer, at least ${least}`, field);
}
