import * as z from "zod";
import type { CardProduct } from "../catalogue/card-products.ts";
import { rejectInput } from "../core/errors.ts";
import { type CartCurrency, cartCurrencies } from "../core/money.ts";
import { checkTotal, linkPlanSchema } from "./link-plan.ts";
import { checkPaymentMethods, contentOfMethods, defaultPaymentMethods } from "./payment-methods.ts";

/** A partner's cart request after schema validation. Amounts are in minor units, per unit (and per period). */
export interface CartRequest {
  readonly items: readonly { readonly productId: string; readonly unitAmount: number; readonly quantity: number }[];
  readonly currency: CartCurrency | undefined;
  readonly paymentMethodTypes: readonly string[] | undefined;
  readonly allowPromotionCodes: boolean;
  readonly successUrl: string | undefined;
}

export const cartPlanSchema = linkPlanSchema.extend({ currency: z.enum(cartCurrencies) });

/** The request field with the payment methods, for error messages. */
const METHODS_FIELD = "paymentMethodTypes";

/** The resolved cart. It is complete before the first side effect. */
export type CartPlan = z.infer<typeof cartPlanSchema>;

/** The path of an item's product in the request, for error messages. */
export const productField = (index: number) => `items[${index}].productId`;

/**
 * Checks what does not depend on the catalogue: methods that do not support the requested currency (interface L.7).
 * @throws ServiceFailure `invalid_input`.
 */
export function checkCart({ currency, paymentMethodTypes }: CartRequest): void {
  if (currency !== undefined) checkPaymentMethods(paymentMethodTypes ?? [], currency, METHODS_FIELD);
}

/**
 * Validates a cart against the catalogue and resolves it to a plan (interface 8.3, 8.4, 8.5). All items must have one
 * environment and one currency, and be all one-time or all of one billing period. The payment methods must support the
 * currency.
 * @param products the products of the items, in the order of the items.
 * @throws ServiceFailure `invalid_input` with the first invalid item or payment method.
 */
export function planCart(request: CartRequest, products: readonly CardProduct[]): CartPlan {
  const [first] = products;
  if (first === undefined) rejectInput("a cart needs at least one item", "items");
  for (const [index, product] of products.entries()) checkSameTerms(product, first, productField(index));

  const { currency } = first;
  if (currency === "BRL") rejectInput("a cart is sold in USD, EUR or GBP, and this product in BRL", productField(0));
  if (request.currency !== undefined && request.currency !== currency) {
    rejectInput(`the products are sold in ${currency}, so the cart cannot be in ${request.currency}`, "currency");
  }
  if (request.paymentMethodTypes !== undefined) checkPaymentMethods(request.paymentMethodTypes, currency, METHODS_FIELD);

  checkTotal(request.items, currency, "items");

  const defaults = [...defaultPaymentMethods(products, currency)];
  return {
    environment: first.environment,
    currency,
    recurring: first.type === "subscription" ? { interval: first.interval, intervalCount: first.intervalCount } : null,
    trialDays: 0,
    items: request.items.map(({ productId, unitAmount, quantity }, index) => ({
      productId,
      unitAmount,
      quantity,
      name: products[index]?.name ?? "",
    })),
    paymentMethodTypes: request.paymentMethodTypes === undefined ? defaults : [...new Set(request.paymentMethodTypes)],
    defaultPaymentMethodTypes: defaults,
    allowPromotionCodes: request.allowPromotionCodes,
    successUrl: request.successUrl ?? null,
  };
}

/** The content that identifies a cart (interface 8.6): the request as sent, without the order of items or methods. */
export function contentOfCart(request: CartRequest): object {
  return {
    items: request.items.toSorted((left, right) => (left.productId < right.productId ? -1 : 1)),
    currency: request.currency ?? null,
    paymentMethodTypes: contentOfMethods(request.paymentMethodTypes),
    allowPromotionCodes: request.allowPromotionCodes,
    successUrl: request.successUrl ?? null,
  };
}

function checkSameTerms(product: CardProduct, first: CardProduct, field: string): void {
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
