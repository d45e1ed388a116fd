import { jsonObjectSchema } from "../../src/core/json.ts";
import type { ProcessorObject } from "../state.ts";
import { addObject, findObject, getObject, randomId, type World } from "../world.ts";
import { invalidRequest } from "./failure.ts";
import { branch, type Form, integer, list, text } from "./form.ts";

const MAX_LINES = 20;
const MAX_AMOUNT = 99_999_999;
/** The maximum interval count for each interval. */
const LONGEST: Readonly<Record<string, number>> = { day: 1095, week: 156, month: 36, year: 3 };

/** The payment methods that a payment link accepts, from the processor's list; other names are refused. */
const LINK_METHODS = new Set(
  (
    "affirm afterpay_clearpay alipay alma au_becs_debit bacs_debit bancontact billie bizum blik boleto card cashapp eps fpx giropay " +
    "grabpay ideal klarna konbini link mb_way mobilepay multibanco oxxo p24 pay_by_bank paynow paypal paypay payto pix promptpay " +
    "satispay scalapay sepa_debit sequra sofort sunbit swish twint upi us_bank_account wechat_pay zip"
  ).split(" "),
);

/** `POST /v1/prices`. */
export function createPrice(world: World, form: Form, livemode: boolean): ProcessorObject {
  const product = text(form, "product");
  const currency = text(form, "currency");
  const unitAmount = integer(form, "unit_amount");
  if (product === null) throw invalidRequest("Missing required param: product.", "product", "parameter_missing");
  if (currency === null) throw invalidRequest("Missing required param: currency.", "currency", "parameter_missing");
  if (unitAmount === null || unitAmount < 0) throw invalidRequest("This value must be greater than or equal to 0.", "unit_amount");
  knowProduct(world, product, livemode);
  const interval = text(branch(form, "recurring"), "interval");
  if (unitAmount > MAX_AMOUNT) throw invalidRequest("Amount must be no more than $999,999.99", "unit_amount", "amount_too_large");
  const intervalCount = integer(branch(form, "recurring"), "interval_count") ?? 1;
  const most = interval === null ? Number.POSITIVE_INFINITY : LONGEST[interval];
  if (most === undefined) throw invalidRequest("Invalid recurring[interval].", "recurring[interval]");
  if (intervalCount > most) throw invalidRequest("The maximum interval is three years.", "recurring[interval_count]");
  return addObject(world, "price", {
    object: "price",
    livemode,
    active: true,
    product,
    currency,
    unit_amount: unitAmount,
    unit_amount_decimal: String(unitAmount),
    type: interval === null ? "one_time" : "recurring",
    recurring: interval === null ? null : { interval, interval_count: intervalCount },
    metadata: branch(form, "metadata"),
  });
}

/** `POST /v1/payment_links`: with existing prices, or with new prices from `price_data`. */
export function createPaymentLink(world: World, form: Form, livemode: boolean): ProcessorObject {
  const lines = list(form, "line_items");
  if (lines.length === 0) throw invalidRequest("Missing required param: line_items.", "line_items", "parameter_missing");
  if (lines.length > MAX_LINES) throw invalidRequest(`Payment links support up to ${MAX_LINES} line items.`, "line_items");
  const methods = checkMethods(form);
  const priced = lines.map((line, index) => priceLine(world, line as Form, index, livemode));
  const currencies = new Set(priced.map(({ price }) => price.currency));
  if (currencies.size > 1) throw invalidRequest("All prices on a payment link must use the same currency.", "line_items");

  const recurring = priced.some(({ price }) => price.recurring !== null);
  const id = randomId("plink");
  const link = addObject(world, "plink", {
    id,
    object: "payment_link",
    livemode,
    active: true,
    url: `${world.origin}/checkout/${id}`,
    currency: [...currencies][0],
    payment_method_types: methods,
    allow_promotion_codes: form.allow_promotion_codes === "true",
    after_completion: afterCompletion(form),
    metadata: branch(form, "metadata"),
    payment_intent_data: recurring ? null : { metadata: branch(branch(form, "payment_intent_data"), "metadata") },
    subscription_data: recurring ? subscriptionData(branch(form, "subscription_data")) : null,
  });
  world.state.lines[id] = priced.map(({ price, quantity }) =>
    jsonObjectSchema.parse({
      id: randomId("li"),
      object: "item",
      amount_total: Number(price.unit_amount) * quantity,
      currency: price.currency,
      description: String(price.product),
      price,
      quantity,
    }),
  );
  return link;
}

function subscriptionData(form: Form) {
  const days = text(form, "trial_period_days");
  if (days !== null && !(Number(days) >= 1)) {
    throw invalidRequest("trial_period_days must be at least 1.", "subscription_data[trial_period_days]");
  }
  return { metadata: branch(form, "metadata"), trial_period_days: days === null ? null : Number(days) };
}

/** `GET /v1/payment_links/:id/line_items`. */
export function listLines(world: World, linkId: string, limit: number, livemode: boolean) {
  getObject(world, "payment_link", linkId, livemode);
  const lines = world.state.lines[linkId] ?? [];
  return { object: "list", url: `/v1/payment_links/${linkId}/line_items`, has_more: lines.length > limit, data: lines.slice(0, limit) };
}

/** The total of a link, in minor units. */
export function totalOf(world: World, linkId: string): number {
  return (world.state.lines[linkId] ?? []).reduce((sum, line) => sum + Number(line.amount_total), 0);
}

function priceLine(world: World, line: Form, index: number, livemode: boolean): { price: ProcessorObject; quantity: number } {
  const quantity = integer(line, "quantity");
  if (quantity === null || quantity < 1) throw invalidRequest("Invalid quantity.", `line_items[${index}][quantity]`);
  const priceId = text(line, "price");
  const price = priceId === null ? createPrice(world, branch(line, "price_data"), livemode) : getObject(world, "price", priceId, livemode);
  return { price, quantity };
}

/** Creates a product at its first use. Normally moderation creates it, but the sandbox has no moderation. */
export function knowProduct(world: World, id: string, livemode: boolean): void {
  if (!/^prod_[A-Za-z0-9]+$/.test(id)) throw invalidRequest(`No such product: '${id}'`, "product", "resource_missing");
  if (findObject(world, id) === undefined) addObject(world, "prod", { id, object: "product", livemode, active: true, name: id });
}

function checkMethods(form: Form): string[] {
  const methods = list(form, "payment_method_types").map(String);
  for (const [index, method] of methods.entries()) {
    if (!LINK_METHODS.has(method)) {
      throw invalidRequest(`Invalid payment_method_types[${index}]: must be one of the supported types`, `payment_method_types[${index}]`);
    }
  }
  return methods.length > 0 ? methods : ["card"];
}

function afterCompletion(form: Form) {
  const url = text(branch(branch(form, "after_completion"), "redirect"), "url");
  return url === null
    ? { type: "hosted_confirmation", hosted_confirmation: { custom_message: null } }
    : { type: "redirect", redirect: { url } };
}
