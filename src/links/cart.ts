import { z } from "zod";
import type { CardProduct } from "../catalogue/card-products.ts";
import { rejectInput } from "../core/errors.ts";
import { linkPlanSchema } from "./link-plan.ts";
import { checkPaymentMethods, defaultPaymentMethods } from "./payment-methods.ts";

/** A cart as a partner asks for it, its shape already checked. Amounts are minor units per unit (and per period). */
export interface CartRequest {
  readonly items: readonly { readonly productId: string; readonly unitAmount: number; readonly quantity: number }[];
  readonly currency: "USD" | "EUR" | "GBP" | undefined;
  readonly paymentMethodTypes: readonly string[] | undefined;
  readonly allowPromotionCodes: boolean;
  readonly successUrl: string | undefined;
}

export const cartPlanSchema = linkPlanSchema.extend({ currency: z.enum(["USD", "EUR", "GBP"]) });

/** Where the methods stand in the request. */
export const METHODS_FIELD = "payment_method_types";

/** Everything that is settled about a cart before anything is made. */
export type CartPlan = z.infer<typeof cartPlanSchema>;

/** Where an item's product stands in the request. */
export const productField = (index: number) => `items[${index}].stripe_product_id`;

/**
 * Settles a cart against the catalogue (interface, operation 8): one environment, one currency, all one-time or all
 * one period, and payment methods that go with the currency.
 * @param products of the items, in their order.
 * @throws ServiceFailure `invalid_input` naming the first item or method that does not fit.
 */
export function planCart(request: CartRequest, products: readonly CardProduct[]): CartPlan {
  const [first] = products;
  if (first === undefined) rejectInput("a cart needs at least one item", "items");
  for (const [index, product] of products.entries()) checkFits(product, first, productField(index));

  const { currency } = first;
  if (currency === "BRL") rejectInput("a cart is sold in USD, EUR or GBP, and this product in BRL", productField(0));
  if (request.currency !== undefined && request.currency !== currency) {
    rejectInput(`the products are sold in ${currency}, so the cart cannot be in ${request.currency}`, "currency");
  }
  if (request.paymentMethodTypes !== undefined) checkPaymentMethods(request.paymentMethodTypes, currency, METHODS_FIELD);

  const defaults = [...defaultPaymentMethods(products, currency)];
  return {
    environment: first.environment,
    currency,
    recurring: first.type === "subscription" ? { interval: first.interval, intervalCount: first.intervalCount } : null,
    trialDays: 0,
    items: request.items.map(({ productId, unitAmount, quantity }) => ({ productId, unitAmount, quantity })),
    paymentMethodTypes: request.paymentMethodTypes === undefined ? defaults : [...new Set(request.paymentMethodTypes)],
    defaultPaymentMethodTypes: defaults,
    allowPromotionCodes: request.allowPromotionCodes,
    successUrl: request.successUrl ?? null,
  };
}

/** What makes two carts the same request: the order of items and methods is not part of it, the effective currency is. */
export function contentOfCart(plan: CartPlan): object {
  const { allowPromotionCodes, successUrl, currency } = plan;
  return {
    items: plan.items.toSorted((left, right) => (left.productId < right.productId ? -1 : 1)),
    currency,
    paymentMethodTypes: plan.paymentMethodTypes.toSorted(),
    allowPromotionCodes,
    successUrl,
  };
}

function checkFits(product: CardProduct, first: CardProduct, field: string): void {
  const mixes = (what: string): never =>
    rejectInput(`a cart cannot mix ${what}: ${product.processorProductId} differs from ${first.processorProductId}`, field);
  if (product.environment !== first.environment) mixes("live and test products");
  if (product.type !== first.type) mixes("one-time products and subscriptions");
  if (product.currency !== first.currency) mixes("currencies");
  if (periodOf(product) !== periodOf(first)) mixes("subscription periods");
}

function periodOf(product: CardProduct): string | null {
  return product.type === "subscription" ? `${product.intervalCount} ${product.interval}` : null;
}
