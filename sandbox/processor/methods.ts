import { invalidRequest } from "./failure.ts";
import { type Form, list } from "./form.ts";

/** The currencies of methods that do not support all of them. */
const CURRENCIES: Readonly<Record<string, string>> = {
  affirm: "usd cad",
  afterpay_clearpay: "usd cad gbp aud nzd",
  au_becs_debit: "aud",
  bacs_debit: "gbp",
  bancontact: "eur",
  billie: "eur gbp",
  bizum: "eur",
  blik: "pln",
  boleto: "brl",
  cashapp: "usd",
  eps: "eur",
  fpx: "myr",
  giropay: "eur",
  grabpay: "sgd myr",
  ideal: "eur",
  konbini: "jpy",
  mb_way: "eur",
  mobilepay: "eur dkk nok sek",
  multibanco: "eur",
  oxxo: "mxn",
  p24: "eur pln",
  pay_by_bank: "gbp eur",
  paynow: "sgd",
  pix: "brl",
  promptpay: "thb",
  sepa_debit: "eur",
  sofort: "eur",
  swish: "sek",
  twint: "chf",
  us_bank_account: "usd",
  zip: "usd aud",
};

/** Methods that cannot pay a subscription. */
const ONE_TIME_ONLY = new Set(
  (
    "affirm afterpay_clearpay alipay alma billie bizum blik eps fpx giropay grabpay konbini mb_way mobilepay multibanco oxxo p24 " +
    "pay_by_bank paynow paypal promptpay swish twint wechat_pay zip"
  ).split(" "),
);

/**
 * Checks the payment methods of a new link against its currency and mode. Unknown methods were already refused as
 * parameters. @throws ProcessorError in the processor's words, with or without `param`, as the processor does.
 */
export function checkMethods(form: Form, currency: string, isRecurring: boolean): string[] {
  const methods = list(form, FIELD).map(String);
  const twice = methods.find((method, index) => methods.indexOf(method) !== index);
  if (twice !== undefined) throw invalidRequest(`Duplicate payment method type: ${twice}.`, FIELD);
  for (const method of methods) {
    const currencies = CURRENCIES[method]?.split(" ");
    if (currencies !== undefined && !currencies.includes(currency)) {
      const message = `The currency provided (${currency}) is invalid. Payments with ${method} support the following currencies: ${currencies.join(", ")}.`;
      throw invalidRequest(message, FIELD);
    }
    if (isRecurring && ONE_TIME_ONLY.has(method)) {
      throw invalidRequest(`The payment method \`${method}\` cannot be used in \`subscription\` mode.`);
    }
  }
  return methods;
}

const FIELD = "payment_method_types";
