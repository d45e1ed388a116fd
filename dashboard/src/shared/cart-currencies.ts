import type { Schema } from "@cfworker/json-schema";
import { bodies } from "../api/bodies.ts";

/** The currencies of carts, from the description of the call that makes one. */
const cartCurrencies = valuesIn(bodies["create-partner-processor-cart-payment-link"]?.properties?.currency);

/** The values that a field takes; null is one of its alternatives. */
function valuesIn(schema: Schema | boolean | undefined): readonly unknown[] {
  if (typeof schema !== "object") return [];
  const own: readonly unknown[] = schema.enum ?? [];
  return [...own, ...(schema.anyOf ?? []).flatMap(valuesIn)];
}

/** Whether a cart can be sold in a currency. */
export const isOfCarts = (currency: string): boolean => cartCurrencies.includes(currency);
