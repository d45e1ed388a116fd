import { z } from "zod";
import type { CardProduct } from "../catalogue/card-products.ts";
import { SECOND } from "../core/clock.ts";
import { rejectInput, type ServiceError, ServiceFailure } from "../core/errors.ts";

const durations = ["once", "forever", "repeating"] as const;

/** A promotion code as a partner asks for it, its shape already checked. */
export interface PromotionCodeRequest {
  readonly productIds: readonly string[];
  /** In upper case: codes are the same whatever their case. */
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
  environment: z.enum(["live", "test"]),
  productIds: z.array(z.string()),
  code: z.string(),
  percentOff: z.int(),
  duration: z.enum(durations),
  durationInMonths: z.int().nullable(),
  maxRedemptions: z.int().nullable(),
  /** Unix milliseconds, of whole seconds: so does the processor count. */
  expiresAt: z.int().nullable(),
  source: z.enum(["api", "mcp"]),
});

/** Everything that is settled about a code before anything is made. */
export type PromotionPlan = z.infer<typeof promotionPlanSchema>;

/** How far ahead a code's end must be, at the least. */
const LEAST_LIFE = 60 * SECOND;

/** Where a product stands in the request. */
export const productField = (index: number) => `stripe_product_ids[${index}]`;

/** Months go with repeating and with nothing else (interface, operation 2). @throws ServiceFailure `invalid_input`. */
export function checkDuration({ duration, durationInMonths }: PromotionCodeRequest): void {
  if (duration === "repeating" && durationInMonths === undefined) {
    rejectInput("duration_in_months: must be given where duration is repeating", "duration_in_months");
  }
  if (duration !== "repeating" && durationInMonths !== undefined) {
    rejectInput(`duration_in_months: goes with the duration repeating only, not with ${duration}`, "duration_in_months");
  }
}

/**
 * Why a code of this request cannot be begun any more as of `now` (Unix milliseconds); null: it can. One that was made
 * while its end was far enough ahead is replayed all the same, and one that was begun is finished.
 */
export function whyTooLate({ expiresAt }: PromotionCodeRequest, now: number): ServiceError | null {
  if (expiresAt === undefined || expiresAt - now >= LEAST_LIFE) return null;
  return { kind: "invalid_input", message: "expires_at: must be at least 60 seconds in the future", field: "expires_at" };
}

/**
 * Settles a code against its products, which must all be of one environment.
 * @param products of the request, in its order. @throws ServiceFailure `mixed_environment` naming the first that differs.
 */
export function planPromotion(request: PromotionCodeRequest, products: readonly CardProduct[]): PromotionPlan {
  const [first] = products;
  if (first === undefined) rejectInput("stripe_product_ids: must name at least one product", "stripe_product_ids");
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

/**
 * What makes two requests the same: the order of products is not part of it, nor by which way it was asked. The source
 * counts as the same, rather than not at all, so that keys of before it stopped to count are still known.
 */
export function contentOfPromotion(plan: PromotionPlan): object {
  const { code, percentOff, duration, durationInMonths, maxRedemptions, expiresAt } = plan;
  return { productIds: plan.productIds.toSorted(), code, percentOff, duration, durationInMonths, maxRedemptions, expiresAt, source: "api" };
}
