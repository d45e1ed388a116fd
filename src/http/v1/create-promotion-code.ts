import { z } from "zod";
import { isoTime } from "../../core/clock.ts";
import { parseMoment } from "../../core/iso-moment.ts";
import { createPromotionCode as create } from "../../promotions/create-promotion-code.ts";
import { defineOperation } from "../operation.ts";
import { idempotencyKey, productId } from "../schemas.ts";

const durations = ["once", "forever", "repeating"] as const;

/** As Unix milliseconds. A bare date is the first moment of its day. */
const isoMoment = z.string().transform((text, context) => {
  const moment = parseMoment(text, "start");
  if (moment !== null) return moment;
  context.addIssue({ code: "custom", message: "must be an ISO 8601 moment that exists, for example 2027-01-31T23:59:59Z" });
  return z.NEVER;
});

const input = z.object({
  stripe_product_ids: z.array(productId).min(1, "must name at least one product").max(50, "must name at most 50 products"),
  code: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,500}$/, "must be 1 to 500 letters, digits, _ or -")
    .transform((text) => text.toUpperCase()),
  percent_off: z.int().min(1).max(100),
  duration: z.enum(durations).default("once"),
  duration_in_months: z.int().positive().optional(),
  max_redemptions: z.int().positive().optional(),
  expires_at: isoMoment.optional(),
  idempotency_key: idempotencyKey,
  source: z.enum(["api", "mcp"]).default("api"),
});

const output = z.object({
  stripe_coupon_id: z.string(),
  stripe_promotion_code_id: z.string(),
  code: z.string(),
  percent_off: z.int(),
  duration: z.enum(durations),
  duration_in_months: z.int().nullable(),
  max_redemptions: z.int().nullable(),
  expires_at: z.string().nullable(),
  stripe_product_ids: z.array(z.string()),
  is_test: z.boolean(),
  idempotency_key: z.string(),
  created_at: z.string(),
  is_replay: z.boolean(),
  is_retry: z.boolean(),
  retry_count: z.int(),
});

/** Operation 2. */
export const createPromotionCode = defineOperation("v1", {
  name: "promotion-code-create",
  summary: "Create a percentage promotion code for approved products",
  permission: "product_create",
  key: "header_or_body",
  input,
  output,
  async run(tools, caller, body) {
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
    const { code, replayed } = await create(tools, caller, request, body.idempotency_key);
    return {
      stripe_coupon_id: code.couponId,
      stripe_promotion_code_id: code.promotionCodeId,
      code: code.code,
      percent_off: code.percentOff,
      duration: code.duration,
      duration_in_months: code.durationInMonths,
      max_redemptions: code.maxRedemptions,
      expires_at: code.expiresAt === null ? null : isoTime(code.expiresAt),
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
