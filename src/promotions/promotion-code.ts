import * as z from "zod";
import type { CardProduct } from "../catalogue/card-products.ts";
import { SECOND } from "../core/clock.ts";
import { environmentSchema } from "../core/environment.ts";
import { rejectInput, ServiceFailure } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { type Preview, type PreviewWarning, previewOf } from "../core/preview.ts";

const durations = ["once", "forever", "repeating"] as const;

/** A partner's request for a promotion code, after schema validation. */
export interface PromotionCodeRequest {
  readonly productIds: readonly string[];
  /** In upper case: codes are case-insensitive. */
  readonly code: string;
  /** 1 to 100. */
  readonly percentOff: number;
  readonly duration: (typeof durations)[number];
  readonly durationInMonths: number | undefined;
  readonly maxRedemptions: number | undefined;
  /** Unix milliseconds. */
  readonly expiresAt: number | undefined;
  readonly source: "api" | "mcp";
}

export const promotionPlanSchema = z.object({
  environment: environmentSchema,
  productIds: z.array(z.string()),
  code: z.string(),
  percentOff: z.int(),
  duration: z.enum(durations),
  durationInMonths: z.int().nullable(),
  maxRedemptions: z.int().nullable(),
  /** Unix milliseconds, rounded down to whole seconds, which is the processor's precision. */
  expiresAt: z.int().nullable(),
  source: z.enum(["api", "mcp"]),
});

/** The resolved promotion code. It is complete before the first side effect. */
export type PromotionPlan = z.infer<typeof promotionPlanSchema>;

/** The minimum time from a new request to the code's expiry, in milliseconds (interface 2.6). */
const MIN_LIFETIME = limits.promotion.secondsAhead * SECOND;

/** The path of a product in the request, for error messages. */
export const productField = (index: number) => `productIds[${index}]`;

/**
 * `durationInMonths` is required for `repeating` and not allowed for other durations (interface 2.4).
 * @throws ServiceFailure `invalid_input`.
 */
export function checkDuration({ duration, durationInMonths }: PromotionCodeRequest): void {
  if (duration === "repeating" && durationInMonths === undefined) {
    rejectInput("is required with the duration repeating", "durationInMonths");
  }
  if (duration !== "repeating" && durationInMonths !== undefined) {
    rejectInput(`is only allowed with the duration repeating, not with ${duration}`, "durationInMonths");
  }
}

/**
 * Checks that the code does not expire too early to start at `now` (Unix milliseconds). It applies only to new requests: a request
 * that was completed in time is replayed, and a request that was started is finished.
 * @throws ServiceFailure `invalid_input`.
 */
export function checkExpiry({ expiresAt }: PromotionCodeRequest, now: number): void {
  if (expiresAt === undefined || expiresAt - now >= MIN_LIFETIME) return;
  rejectInput(`must be at least ${limits.promotion.secondsAhead} seconds in the future`, "expiresAt");
}

/**
 * Resolves a request to a plan. All products must be in one environment.
 * @param products the products of the request, in the order of the request.
 * @throws ServiceFailure `mixed_environment` with the first product that differs.
 */
export function planPromotion(request: PromotionCodeRequest, products: readonly CardProduct[]): PromotionPlan {
  const [first] = products;
  if (first === undefined) rejectInput("must name at least one product", "productIds");
  const other = products.findIndex(({ environment }) => environment !== first.environment);
  if (other !== -1) {
    throw new ServiceFailure({ kind: "mixed_environment", productId: request.productIds[other] ?? "", field: productField(other) });
  }
  const { code, percentOff, duration, durationInMonths = null, maxRedemptions = null, expiresAt, source } = request;
  return {
    environment: first.environment,
    productIds: [...new Set(request.productIds)],
    code,
    percentOff,
    duration,
    durationInMonths,
    maxRedemptions,
    expiresAt: expiresAt === undefined ? null : Math.floor(expiresAt / SECOND) * SECOND,
    source,
  };
}

/** The terms of a code, and what they may cost its partner. */
export function previewOfPromotion(plan: PromotionPlan): Preview {
  const { environment, code, percentOff, duration, durationInMonths, maxRedemptions, expiresAt, productIds } = plan;
  const warnings: PreviewWarning[] = [
    ...(percentOff === limits.promotion.percentOff ? [{ code: "everything_free" } as const] : []),
    ...(maxRedemptions === null && expiresAt === null ? [{ code: "code_without_end" } as const] : []),
  ];
  const discount = { code, percentOff, duration, durationInMonths, maxRedemptions, expiresAt, productIds };
  return previewOf({ kind: "promotion_code", environments: [environment], discount, warnings });
}

/** The content that identifies a request, as sent. The order of products and the request's source are not compared. */
export function contentOfPromotion(request: PromotionCodeRequest): object {
  const { productIds, code, percentOff, duration, durationInMonths = null, maxRedemptions = null, expiresAt = null } = request;
  return { productIds: [...new Set(productIds)].toSorted(), code, percentOff, duration, durationInMonths, maxRedemptions, expiresAt };
}
