import * as z from "zod";
import { environmentsOfOwn } from "../../catalogue/card-products.ts";
import { selectCardProducts } from "../../catalogue/store.ts";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { parseTimestamp } from "../../core/iso-timestamp.ts";
import { limits } from "../../core/limits.ts";
import { createPromotionCode as create, promotionCodeWorkflow } from "../../promotions/create-promotion-code.ts";
import { defineOperation } from "../operation.ts";
import { idempotencyKey, isRepeat, productId } from "../schemas.ts";
import { v1 } from "./generation.ts";

const durations = ["once", "forever", "repeating"] as const;

/** Parsed to Unix milliseconds. A date without a time is the end of that day. */
const isoTimestamp = z.string().transform((text, context) => {
  const timestamp = parseTimestamp(text, "end");
  if (timestamp !== null) return timestamp;
  context.addIssue({ code: "custom", message: "must be a valid ISO 8601 time, for example 2027-01-31T23:59:59Z" });
  return z.NEVER;
});

/** The terms of a code, with their limits and defaults (interface 2.2, 2.3, 2.5, 2.7). */
const input = z.object({
  stripe_product_ids: z
    .array(productId)
    .min(1, "must name at least one product")
    .max(limits.promotion.products, `must name at most ${limits.promotion.products} products`)
    .describe("Approved products of yours, all live or all test"),
  code: z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9_-]{1,${limits.promotion.codeCharacters}}$`),
      `must be 1 to ${limits.promotion.codeCharacters} letters, digits, _ or -`,
    )
    .transform((text) => text.toUpperCase())
    .describe(
      "What customers enter: letters, digits, _ and -; case-insensitive. No other active code of the environment, yours or another partner's, may have this text",
    ),
  percent_off: z.int().min(1).max(limits.promotion.percentOff),
  duration: z
    .enum(durations)
    .default("once")
    .describe("Which payments of a subscription: the first, all, or those within duration_in_months"),
  duration_in_months: z.int().positive().optional().describe("Required with repeating, and only allowed then"),
  max_redemptions: z.int().positive().optional().describe("Left out: no limit"),
  expires_at: isoTimestamp
    .optional()
    .describe(`ISO 8601, at least ${limits.promotion.secondsAhead} seconds ahead; a bare date is its end, UTC. Left out: never`),
  idempotency_key: idempotencyKey,
  source: z.enum(["api", "mcp"]).default("api").describe("The kind of client: a program, or an agent"),
});

const output = z.object({
  stripe_coupon_id: z.string(),
  stripe_promotion_code_id: z.string().describe("promo_…: support ends the code by it"),
  code: z.string().describe("In upper case: give this to customers"),
  percent_off: z.int(),
  duration: z.enum(durations),
  duration_in_months: z.int().nullable(),
  max_redemptions: z.int().nullable(),
  expires_at: z.string().nullable(),
  stripe_product_ids: z.array(z.string()),
  is_test: z.boolean(),
  idempotency_key: z.string(),
  created_at: z.string().describe("When the code was first asked for; unchanged in a repeat"),
  is_replay: isRepeat,
  is_retry: z.boolean().describe("Whether a call to the processor was retried; the code is valid either way"),
  retry_count: z.int(),
});

/** Operation 2. */
export const createPromotionCode = defineOperation(v1, {
  name: promotionCodeWorkflow.operation,
  title: "Create a promotion code",
  method: "promotionCodes.create",
  summary: "Create a percentage promotion code for approved products",
  description: `A percentage off, for the named products only; there are no fixed amounts. Customers enter the code at a checkout that allows promotion codes. The same key with the same body within ${limits.replay.hours} hours gives the same code. Support ends a code; there is no operation for that.`,
  hint: "Use it to give customers a percentage off approved products. Making a code costs nothing; each use lowers what the partner earns, so set max_redemptions or expires_at unless the person wants neither.",
  permission: "product_create",
  key: "header_or_body",
  effect: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  input,
  wireNames: { productIds: "stripe_product_ids", "productIds[]": "stripe_product_ids[]" },
  output,
  fails: [
    "product_not_found",
    "product_of_another_partner",
    "product_not_approved",
    "product_damaged",
    "mixed_environment",
    "code_already_exists",
    "key_reused_with_different_payload",
    "upstream_timeout",
    "upstream_failed",
  ],
  example: {
    request: {
      stripe_product_ids: ["prod_acmeTestUsd1", "prod_acmeTestUsd2"],
      code: "example-15",
      percent_off: 15,
      max_redemptions: 100,
      idempotency_key: "example-15",
    },
    response: {
      stripe_coupon_id: "Z4OV52SU",
      stripe_promotion_code_id: "promo_1NoPq8",
      code: "EXAMPLE-15",
      percent_off: 15,
      duration: "once",
      duration_in_months: null,
      max_redemptions: 100,
      expires_at: null,
      stripe_product_ids: ["prod_acmeTestUsd1", "prod_acmeTestUsd2"],
      is_test: true,
      idempotency_key: "example-15",
      created_at: "2026-11-21T08:30:00.000Z",
      is_replay: false,
      is_retry: false,
      retry_count: 0,
    },
  },
  prefetch: (directory, body) => selectCardProducts(directory, body.stripe_product_ids),
  environmentsOf: (_body, caller, products) => environmentsOfOwn(products, caller.partnerId),
  environmentOfAnswer: ({ is_test }) => (is_test ? "test" : "live"),
  hasDryRun: true,
  async run(deps, caller, body, products) {
    const request = {
      productIds: body.stripe_product_ids,
      code: body.code,
      percentOff: body.percent_off,
      duration: body.duration,
      durationInMonths: body.duration_in_months,
      maxRedemptions: body.max_redemptions,
      expiresAt: body.expires_at,
      source: body.source,
    };
    const { code, replayed } = await create(deps, caller, request, body.idempotency_key, products);
    return {
      stripe_coupon_id: code.couponId,
      stripe_promotion_code_id: code.promotionCodeId,
      code: code.code,
      percent_off: code.percentOff,
      duration: code.duration,
      duration_in_months: code.durationInMonths,
      max_redemptions: code.maxRedemptions,
      expires_at: isoTimeOrNull(code.expiresAt),
      stripe_product_ids: code.productIds,
      is_test: code.environment === "test",
      idempotency_key: body.idempotency_key,
      created_at: isoTime(code.createdAt),
      is_replay: replayed,
      is_retry: code.retryCount > 0,
      retry_count: code.retryCount,
    };
  },
});
