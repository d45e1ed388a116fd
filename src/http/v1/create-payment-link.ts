import { z } from "zod";
import { createProductLink } from "../../links/create-product-link.ts";
import { defineOperation } from "../operation.ts";
import { httpsUrl, idempotencyKey, paymentMethodTypes, productId } from "../schemas.ts";

const currencies = ["USD", "EUR", "GBP", "BRL"] as const;

const price = z.object({
  unit_amount: z.int().positive(),
  currency: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(currencies))
    .optional(),
  interval_count: z.int().positive().default(1),
  trial_days: z.int().nonnegative().default(0),
});

const paymentLink = z.object({
  payment_method_types: paymentMethodTypes.optional(),
  allow_promotion_codes: z.boolean().default(false),
  success_url: httpsUrl.optional(),
  quantity: z.int().positive().default(1),
});

const input = z.object({
  auth_mode: z.literal("api_key", "must be api_key"),
  stripe_product_id: productId,
  price,
  payment_link: paymentLink.prefault({}),
  idempotency_key: idempotencyKey.optional(),
});

const output = z.object({
  processor_product_id: z.string(),
  processor_price_id: z.string(),
  processor_payment_link_id: z.string(),
  short_url: z.string(),
  short_url_id: z.string(),
  currency: z.enum(currencies),
  currency_source: z.enum(["inherited", "overridden"]),
  unit_amount: z.int(),
  type: z.enum(["one_time", "subscription"]),
  is_test: z.boolean(),
  idempotency_key: z.string(),
  is_replay: z.boolean(),
  retry_count: z.int(),
});

/** Operation 1. */
export const createPaymentLink = defineOperation("v1", {
  name: "payment-link-create",
  summary: "Create an additional payment link for an approved product",
  permission: "product_create",
  key: "body",
  input,
  output,
  async run(tools, caller, body) {
    const { price: terms, payment_link: settings, idempotency_key = crypto.randomUUID() } = body;
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
    const { link, replayed } = await createProductLink(tools, caller, request, idempotency_key);
    return {
      processor_product_id: link.productId,
      processor_price_id: link.priceId,
      processor_payment_link_id: link.paymentLinkId,
      short_url: `${tools.settings.shortLinkOrigin}/${link.slug}`,
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
