import * as z from "zod";
import { environmentsOfOwn } from "../../catalogue/card-products.ts";
import { selectCardProducts } from "../../catalogue/store.ts";
import { ServiceFailure, toServiceError } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { linkCurrencies } from "../../core/money.ts";
import { createProductLink, productLinkWorkflow } from "../../links/create-product-link.ts";
import { defineOperation } from "../operation.ts";
import { allowPromotionCodes, httpsUrl, idempotencyKey, isRepeat, paymentMethodTypes, productId, shortLink } from "../schemas.ts";
import { v1 } from "./generation.ts";

/** The schema of a field that a one-time product ignores whatever its value. */
const anyInteger = { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;

/** The amounts and the currency of a link (interface 1.2). */
const price = z
  .object({
    unit_amount: z.int().positive().max(limits.processorTotal.minorUnits).describe("Minor units: 1900 is 19.00"),
    currency: z
      .string()
      .regex(/^[A-Za-z]{3}$/, `must be one of ${linkCurrencies.join(", ")}`)
      .transform((text) => text.toUpperCase())
      .pipe(z.enum(linkCurrencies))
      .optional()
      .describe("USD, EUR, GBP or BRL, in any case; left out: the product's"),
    // Ignored for a one-time product, whatever they contain: they are checked with the product (interface 1.3).
    interval_count: z
      .unknown()
      .optional()
      .meta({
        ...anyInteger,
        description: "For subscriptions: how many of the product's intervals make a period, three years at most. Left out: 1",
      }),
    trial_days: z
      .unknown()
      .optional()
      .meta({ ...anyInteger, description: "For subscriptions: days before the first payment. Left out: 0" }),
  })
  .meta({ title: "Price" });

/** The optional settings of a link, with their defaults (interface 1.4). */
const paymentLink = z
  .object({
    payment_method_types: paymentMethodTypes.optional(),
    allow_promotion_codes: allowPromotionCodes,
    success_url: httpsUrl.optional().describe("Where the customer goes after paying, an https URL. Default: the processor's own page"),
    quantity: z.int().positive().default(1),
  })
  .meta({ title: "PaymentLinkOptions" });

const input = z.object({
  auth_mode: z.literal("api_key", "must be api_key"),
  stripe_product_id: productId,
  price,
  payment_link: paymentLink.prefault({}),
  idempotency_key: idempotencyKey
    .optional()
    .describe("Must not start with ingest:. The same in every repeat of one request. Left out: one is made up and returned"),
});

const output = z.object({
  processor_product_id: z.string(),
  processor_price_id: z.string(),
  processor_payment_link_id: z.string(),
  ...shortLink,
  currency: z.enum(linkCurrencies),
  currency_source: z.enum(["inherited", "overridden"]).describe("overridden wherever price.currency was given"),
  unit_amount: z.int().describe("In minor units"),
  type: z.enum(["one_time", "subscription"]),
  is_test: z.boolean(),
  idempotency_key: z.string(),
  is_replay: isRepeat,
  retry_count: z.int().describe("Attempts under this key that had failed before"),
});

/** Operation 1. */
export const createPaymentLink = defineOperation(v1, {
  name: productLinkWorkflow.operation,
  title: "Create a product link",
  method: "links.createForProduct",
  summary: "Create an additional payment link for an approved product",
  description: `The product decides the type, the interval and live or test; the link has its own price, methods, quantity and, if you like, currency. The same key with the same body within ${limits.replay.hours} hours gives the same link.`,
  hint: null,
  permission: "product_create",
  key: "body",
  effect: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  input,
  wireNames: {
    productId: "stripe_product_id",
    unitAmount: "price.unit_amount",
    intervalCount: "price.interval_count",
    trialDays: "price.trial_days",
    "paymentMethodTypes[]": "payment_link.payment_method_types[]",
  },
  output,
  fails: [
    "product_not_found",
    "product_of_another_partner",
    "product_not_approved",
    "product_damaged",
    "key_reused_with_different_payload",
    "short_link_unavailable",
    "upstream_timeout",
    "upstream_failed",
  ],
  example: {
    request: {
      auth_mode: "api_key",
      stripe_product_id: "prod_acmeTestMonthly",
      price: { unit_amount: 990, currency: "EUR", trial_days: 14 },
      payment_link: { payment_method_types: ["card", "sepa_debit"], allow_promotion_codes: true },
      idempotency_key: "example-link",
    },
    response: {
      processor_product_id: "prod_acmeTestMonthly",
      processor_price_id: "price_1NoPq6",
      processor_payment_link_id: "plink_1NoPq5",
      short_url: "https://pay.example.com/x7Kp2mQ9",
      short_url_id: "x7Kp2mQ9",
      currency: "EUR",
      currency_source: "overridden",
      unit_amount: 990,
      type: "subscription",
      is_test: true,
      idempotency_key: "example-link",
      is_replay: false,
      retry_count: 0,
    },
  },
  prefetch: (directory, body) => selectCardProducts(directory, [body.stripe_product_id]),
  environmentsOf: (_body, caller, products) => environmentsOfOwn(products, caller.partnerId),
  environmentOfAnswer: ({ is_test }) => (is_test ? "test" : "live"),
  hasDryRun: true,
  async run(deps, caller, body, products) {
    const { price: terms, payment_link: settings, idempotency_key = crypto.randomUUID() } = body;
    const hasMadeKey = body.idempotency_key === undefined;
    const request = {
      productId: body.stripe_product_id,
      unitAmount: terms.unit_amount,
      currency: terms.currency,
      intervalCount: terms.interval_count,
      trialDays: terms.trial_days,
      paymentMethodTypes: settings.payment_method_types,
      allowPromotionCodes: settings.allow_promotion_codes,
      successUrl: settings.success_url,
      quantity: settings.quantity,
    };
    const work = createProductLink(deps, caller, request, idempotency_key, products);
    const { link, replayed } = await (hasMadeKey ? namingKey(idempotency_key, work) : work);
    return {
      processor_product_id: link.productId,
      processor_price_id: link.priceId,
      processor_payment_link_id: link.paymentLinkId,
      short_url: `${deps.settings.shortLinkOrigin}/${link.slug}`,
      short_url_id: link.slug,
      currency: link.currency,
      currency_source: link.currencySource,
      unit_amount: link.unitAmount,
      type: link.type,
      is_test: link.environment === "test",
      idempotency_key,
      is_replay: replayed,
      retry_count: link.retryCount,
    };
  },
});

/** A failure after which a link may have been made says the key that was made for its request: a repeat without it would make another link. */
async function namingKey<Result>(madeKey: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (thrown) {
    const error = toServiceError(thrown);
    if (error.kind !== "upstream_timeout" && error.kind !== "internal" && error.kind !== "short_link_unavailable") throw thrown;
    throw new ServiceFailure({ ...error, madeKey }, { cause: thrown instanceof ServiceFailure ? thrown.cause : thrown });
  }
}
