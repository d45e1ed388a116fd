import type { BuyerFacts, PaymentMethod } from "./facts.ts";

type Named = { readonly email: string | null; readonly name: string | null } | null | undefined;

/** The buyer, as the checkout names them, or else the payment method; null if neither does. */
export function buyerOf(...sources: readonly Named[]): BuyerFacts | null {
  const first = (field: keyof BuyerFacts) => sources.map((source) => source?.[field]?.trim() ?? "").find((text) => text !== "") ?? null;
  const [email, name] = [first("email"), first("name")];
  return email === null && name === null ? null : { email, name };
}

/** The methods whose name is no word with a capital letter. */
const LABELS: Readonly<Record<string, string>> = {
  card: "Card",
  sepa_debit: "SEPA",
  us_bank_account: "ACH",
  ideal: "iDEAL",
  eps: "EPS",
  blik: "BLIK",
  paypal: "PayPal",
  amazon_pay: "Amazon Pay",
};

const BRANDS: Readonly<Record<string, string>> = { amex: "American Express", jcb: "JCB", diners: "Diners Club", unionpay: "UnionPay" };

/** What the processor says of a payment method, as far as people name it. */
interface MethodDetails {
  readonly type: string;
  readonly card?: { readonly brand?: string | null | undefined; readonly last4?: string | null | undefined } | null | undefined;
}

/** A kind of payment method as people call it: `sepa_debit` as SEPA. */
export const nameOfMethod = (type: string): string => LABELS[type] ?? inWords(type);

/** How a charge was paid, in the words that people use: `Visa ···· 4242`. Null if the processor does not say it. */
export function methodOf(details: MethodDetails | null): PaymentMethod | null {
  if (details === null) return null;
  const { type, card } = details;
  const brand = card?.brand ?? null;
  if (brand === null) return { type, label: nameOfMethod(type) };
  return { type, label: `${BRANDS[brand] ?? inWords(brand)}${typeof card?.last4 === "string" ? ` ···· ${card.last4}` : ""}` };
}

/** `sofort_direct` as `Sofort direct`. */
function inWords(code: string): string {
  const text = code.replaceAll("_", " ");
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
