import { bodies } from "../api/bodies.ts";

const cartCurrency = bodies["create-partner-processor-cart-payment-link"]?.properties?.currency;
/** The currencies of carts, from the description of the call that makes one. */
const cartCurrencies: readonly unknown[] = typeof cartCurrency === "object" ? (cartCurrency.enum ?? []) : [];

/** Whether a cart can be sold in a currency. */
export const isOfCarts = (currency: string): boolean => cartCurrencies.includes(currency);
