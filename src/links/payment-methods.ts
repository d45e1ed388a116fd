import { rejectInput } from "../core/errors.ts";

export type LinkCurrency = "USD" | "EUR" | "GBP" | "BRL";

interface MethodRule {
  /** `verified`: the interface vouches for it. `known`: the processor's own pages name its currencies. */
  readonly standing: "verified" | "known" | "not_connected";
  readonly currencies: readonly LinkCurrency[];
}

const verified = (...currencies: LinkCurrency[]): MethodRule => ({ standing: "verified", currencies });
const known = (...currencies: LinkCurrency[]): MethodRule => ({ standing: "known", currencies });
const notConnected: MethodRule = { standing: "not_connected", currencies: [] };

/**
 * Which payment method goes with which of our currencies. The verified ones and the two that are not connected are
 * the interface's (operation 1, rules 2 and 3); the known ones come from the processor's documentation page of each
 * method ("Payment method support"), read 2026-11. A method that is not listed is passed through: the processor
 * decides, and what it refuses is dropped (rule 5).
 */
const METHODS: ReadonlyMap<string, MethodRule> = new Map(
  Object.entries({
    card: verified("USD", "EUR", "GBP", "BRL"),
    link: verified("USD", "EUR", "GBP", "BRL"),
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
    acss_debit: known("USD"),
    crypto: known("USD"),
    afterpay_clearpay: known("USD", "GBP"),
    alipay: known("USD", "EUR", "GBP"),
    wechat_pay: known("USD", "EUR", "GBP"),
    klarna: known("USD", "EUR", "GBP"),
    paypal: known("USD", "EUR", "GBP"),
    amazon_pay: known("USD", "EUR", "GBP"),
    customer_balance: known("USD", "EUR", "GBP"),
    revolut_pay: known("EUR", "GBP"),
    pay_by_bank: known("EUR", "GBP"),
    blik: known(),
    konbini: known(),
    au_becs_debit: known(),
    oxxo: known(),
    samsung_pay: known(),
    kakao_pay: known(),
    payco: known(),
    kr_card: known(),
    naver_pay: known(),
  }),
);

/** What a link takes where neither the request nor the catalogue says. */
export const FALLBACK_METHODS = ["card", "link"] as const;

/** Whether a method goes with a currency, as far as we know: one that we have not heard of may. */
function goesWith(method: string, currency: LinkCurrency): boolean {
  return METHODS.get(method)?.currencies.includes(currency) ?? true;
}

/** Whether the interface vouches for the method, so that a refusal by the processor is a failure and not dropped. */
export function isVerifiedMethod(method: string): boolean {
  return METHODS.get(method)?.standing === "verified";
}

/**
 * Checks the methods that a request names against the currency that will be charged, as far as that is known yet;
 * `field` is the array's path.
 * @throws ServiceFailure `invalid_input` for a method that is not connected or does not go with the currency; the
 * message names both.
 */
export function checkPaymentMethods(methods: readonly string[], currency: LinkCurrency | undefined, field: string): void {
  for (const [index, method] of methods.entries()) {
    const rule = METHODS.get(method);
    if (rule?.standing === "not_connected") rejectInput(`the payment method ${method} is not connected`, `${field}[${index}]`);
    if (currency !== undefined && !goesWith(method, currency)) {
      rejectInput(`the payment method ${method} cannot be used with ${currency}`, `${field}[${index}]`);
    }
  }
}

/**
 * The methods that all of these products sell with and that go with the currency, in the first one's order;
 * {@link FALLBACK_METHODS} stand in for a product without a set of its own, and where no method is left.
 */
export function defaultPaymentMethods(
  products: readonly { paymentMethodTypes: readonly string[] | null }[],
  currency: LinkCurrency,
): readonly string[] {
  const [first = FALLBACK_METHODS, ...others] = products.map((product) => product.paymentMethodTypes ?? FALLBACK_METHODS);
  const common = first.filter((method) => others.every((set) => set.includes(method)) && goesWith(method, currency));
  return common.length > 0 ? common : FALLBACK_METHODS;
}
