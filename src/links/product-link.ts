import { z } from "zod";
import type { CardProduct } from "../catalogue/card-products.ts";
import { rejectInput } from "../core/errors.ts";
import { linkPlanSchema } from "./link-plan.ts";
import { checkPaymentMethods, defaultPaymentMethods, type LinkCurrency } from "./payment-methods.ts";

/** An additional link for a product as a partner asks for it, its shape already checked. */
export interface ProductLinkRequest {
  readonly productId: string;
  /** Minor units per unit (and per period). */
  readonly unitAmount: number;
  readonly currency: LinkCurrency | undefined;
  /** For subscriptions only. */
  readonly intervalCount: number;
  readonly trialDays: number;
  readonly paymentMethodTypes: readonly string[] | undefined;
  readonly allowPromotionCodes: boolean;
  readonly successUrl: string | undefined;
  readonly quantity: number;
}

export const productLinkPlanSchema = linkPlanSchema.extend({ currencySource: z.enum(["inherited", "overridden"]) });

/** Everything that is settled about a product's link before anything is made. */
export type ProductLinkPlan = z.infer<typeof productLinkPlanSchema>;

/** Where fields stand in the request, for errors that name them. */
const FIELDS = {
  intervalCount: "price.interval_count",
  methods: "payment_link.payment_method_types",
} as const;

/** The processor bills a subscription every three years at the least. */
const LONGEST_INTERVAL = { day: 1095, week: 156, month: 36, year: 3 } as const;

/**
 * Settles a link against its product (interface, operation 1, rules 1 to 4): type, interval and environment are the
 * product's, the currency too unless the request gives one, and methods are checked against the currency that counts.
 * @throws ServiceFailure `invalid_input`.
 */
export function planProductLink(request: ProductLinkRequest, product: CardProduct): ProductLinkPlan {
  const currency = request.currency ?? product.currency;
  const { paymentMethodTypes: methods } = request;
  checkPaymentMethods(methods ?? [], currency, FIELDS.methods);
  const defaults = [...defaultPaymentMethods([product], currency)];
  return {
    environment: product.environment,
    currency,
    currencySource: request.currency === undefined ? "inherited" : "overridden",
    ...termsOf(request, product),
    items: [{ productId: request.productId, unitAmount: request.unitAmount, quantity: request.quantity }],
    paymentMethodTypes: methods === undefined ? defaults : [...new Set(methods)],
    defaultPaymentMethodTypes: defaults,
    allowPromotionCodes: request.allowPromotionCodes,
    successUrl: request.successUrl ?? null,
  };
}

/** What makes two requests the same: what they ask for, defaults filled in, and the currency that counts. */
export function contentOfProductLink(plan: ProductLinkPlan): object {
  const { currency, recurring, trialDays, items, allowPromotionCodes, successUrl } = plan;
  const methods = plan.paymentMethodTypes.toSorted();
  return { currency, intervalCount: recurring?.intervalCount ?? null, trialDays, items, methods, allowPromotionCodes, successUrl };
}

/** The terms of a subscription; for a one-time product the request's words on them are ignored. */
function termsOf({ intervalCount, trialDays }: ProductLinkRequest, product: CardProduct): Pick<ProductLinkPlan, "recurring" | "trialDays"> {
  if (product.type === "one_time") return { recurring: null, trialDays: 0 };
  const { interval } = product;
  const most = LONGEST_INTERVAL[interval];
  if (intervalCount > most)
    rejectInput(`price.interval_count: must be at most ${most} for a product billed by the ${interval}`, FIELDS.intervalCount);
  return { recurring: { interval, intervalCount }, trialDays };
}
