import { rejectInput } from "../core/errors.ts";
import { type LinkCurrency, linkCurrencies } from "../core/money.ts";

interface MethodRule {
  /**
   * `verified`: the partner interface guarantees it. `known`: the processor's documentation lists its currencies.
   * `not_on_links`: a known method that the processor does not support on payment links. `not_connected`: the partner
   * interface refuses it.
   */
  readonly supportLevel: "verified" | "known" | "not_on_links" | "not_connected";
  readonly currencies: readonly LinkCurrency[];
}

const verified = (...currencies: LinkCurrency[]): MethodRule => ({ supportLevel: "verified", currencies });
const known = (...currencies: LinkCurrency[]): MethodRule => ({ supportLevel: "known", currencies });
const notOnLinks = (...currencies: LinkCurrency[]): MethodRule => ({ supportLevel: "not_on_links", currencies });
const notConnected: MethodRule = { supportLevel: "not_connected", currencies: [] };

/**
 * The currencies that each payment method supports. The interface defines the verified methods and the two that are not
 * connected (interface L.5, L.6). The known methods come from the processor's documentation page of each method
 * ("Payment method support"), read 2026-11. A method that is not listed is passed through: the processor decides, and a
 * refused method is dropped (interface L.9).
 */
const METHODS: ReadonlyMap<string, MethodRule> = new Map(
  Object.entries({
    card: verified(...linkCurrencies),
    link: verified(...linkCurrencies),
    sepa_debit: verified("EUR"),
    pix: verified("BRL"),
    us_bank_account: verified("USD"),
    zip: notConnected,
    bacs_debit: notConnected,
    ideal: known("EUR"),
    bancontact: known("EUR"),
    eps: known("EUR"),
    multibanco: known("EUR"),
    mb_way: known("EUR"),
    giropay: known("EUR"),
    p24: known("EUR"),
    mobilepay: known("EUR"),
    billie: known("EUR"),
    boleto: known("BRL"),
    cashapp: known("USD"),
    affirm: known("USD"),
    acss_debit: notOnLinks("USD"),
    crypto: notOnLinks("USD"),
    afterpay_clearpay: known("USD", "GBP"),
    alipay: known("USD", "EUR", "GBP"),
    wechat_pay: known("USD", "EUR", "GBP"),
    klarna: known("USD", "EUR", "GBP"),
    paypal: known("USD", "EUR", "GBP"),
    amazon_pay: notOnLinks("USD", "EUR", "GBP"),
    customer_balance: notOnLinks("USD", "EUR", "GBP"),
    revolut_pay: notOnLinks("EUR", "GBP"),
    pay_by_bank: known("EUR", "GBP"),
    blik: known(),
    konbini: known(),
    au_becs_debit: known(),
    oxxo: known(),
    samsung_pay: notOnLinks(),
    kakao_pay: notOnLinks(),
    payco: notOnLinks(),
    kr_card: notOnLinks(),
    naver_pay: notOnLinks(),
  }),
);

/**
 * Names that are not payment methods of the processor, with the method that includes each. They are passed on like any other name
 * (interface L.9); the notification of the refusal says what includes them.
 */
const COVERED_BY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    card: "visa mastercard maestro amex american_express discover diners jcb unionpay mir credit_card debit_card cards apple_pay google_pay",
    sepa_debit: "sepa sepa_direct_debit iban",
    us_bank_account: "ach ach_debit bank_account",
  }).flatMap(([method, names]) => names.split(" ").map((name) => [name, method] as const)),
);

/** The method that includes each of these names, such as card for a card brand; without those that no method includes. */
export function methodsCovering(names: readonly string[]): Readonly<Record<string, string>> {
  const covered = names.map((name) => [name, COVERED_BY.get(name)] as const);
  return Object.fromEntries(covered.flatMap(([name, method]) => (method === undefined ? [] : [[name, method]])));
}

/**
 * Methods that cannot pay a subscription that was started by a link, from the same documentation. They are left out of
 * a subscription's default set. A requested one is passed on: the processor may allow it for some accounts.
 */
const ONE_TIME_ONLY: ReadonlySet<string> = new Set(
  (
    "affirm afterpay_clearpay alipay alma billie blik eps fpx giropay grabpay konbini mb_way mobilepay multibanco oxxo p24 " +
    "pay_by_bank paynow pix promptpay swish twint wechat_pay zip"
  ).split(" "),
);

/** The payment methods of a link if neither the request nor the catalogue names any (interface L.10). */
export const FALLBACK_METHODS = ["card", "link"] as const;

/** Whether a payment method supports a currency. True for a method that is not listed. */
function supportsCurrency(method: string, currency: LinkCurrency): boolean {
  return METHODS.get(method)?.currencies.includes(currency) ?? true;
}

/** Whether the account's documentation lists the method. The processor decides about others. */
export function isListedMethod(method: string): boolean {
  return METHODS.has(method);
}

/** Whether the published interface guarantees the method (L.4). If the processor refuses it, the request fails; it is not dropped. */
export function isVerifiedMethod(method: string): boolean {
  return METHODS.get(method)?.supportLevel === "verified";
}

/**
 * Whether the account accepts the method. A request with one that it does not is refused (interface L.6). True for a
 * method that is not listed.
 */
export function isConnectedMethod(method: string): boolean {
  return METHODS.get(method)?.supportLevel !== "not_connected";
}

/**
 * Whether payment links of the processor support the method; true for a method that is not listed. An unsupported one
 * is accepted like any other (interface L.4), and dropped like a refused one (L.9): the link is created without it, and
 * the partner is notified. That saves a call that the processor would refuse.
 */
export function isPossibleOnLinks(method: string): boolean {
  return METHODS.get(method)?.supportLevel !== "not_on_links";
}

/**
 * Checks the requested payment methods against the charged currency (interface L.7). `field` is the path of the array.
 * @throws ServiceFailure `invalid_input` for a method that does not support the currency; the message names both.
 */
export function checkPaymentMethods(methods: readonly string[], currency: LinkCurrency, field: string): void {
  for (const [index, method] of methods.entries()) {
    if (!supportsCurrency(method, currency)) {
      rejectInput(`the payment method ${method} cannot be used with ${currency}`, `${field}[${index}]`);
    }
  }
}

/** Requested methods as part of a request's content, without order and repetitions; null if none were sent. */
export function contentOfMethods(methods: readonly string[] | undefined): readonly string[] | null {
  return methods === undefined ? null : [...new Set(methods)].toSorted();
}

/**
 * The payment methods that all these products have in common and that support currency and mode, in the first product's
 * order. {@link FALLBACK_METHODS} are the set of a product without its own, and the result if no method is left.
 */
export function defaultPaymentMethods(
  products: readonly { paymentMethodTypes: readonly string[] | null; type: "one_time" | "subscription" }[],
  currency: LinkCurrency,
): readonly string[] {
  const isSubscription = products.some(({ type }) => type === "subscription");
  const isUsable = (method: string) =>
    supportsCurrency(method, currency) && isPossibleOnLinks(method) && !(isSubscription && ONE_TIME_ONLY.has(method));
  const [first = FALLBACK_METHODS, ...others] = products.map((product) => product.paymentMethodTypes ?? FALLBACK_METHODS);
  const common = first.filter((method) => others.every((set) => set.includes(method)) && isUsable(method));
  return common.length > 0 ? common : FALLBACK_METHODS;
}
