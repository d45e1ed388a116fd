import Stripe from "stripe";
import { type Period, SECOND } from "../core/clock.ts";
import type { Account } from "./account.ts";
import { isAttributedTo } from "./attribution-metadata.ts";
import { callProcessor, callWithKey, isMissing, requireEnvironment } from "./calls.ts";
import { creationSpan, findAttributed } from "./find-attributed.ts";
import {
  type Call,
  type CreatedCoupon,
  type CreatedPromotionCode,
  type Metadata,
  type NewCoupon,
  type NewPromotionCode,
  type ProcessorCall,
  PromotionCodeTaken,
} from "./port.ts";
import { idOf } from "./stripe-objects.ts";

/** Creates a percentage coupon for these products only. Repeated calls with one `call.key` create only one coupon. */
export async function createCoupon({ stripe, livemode }: Account, coupon: NewCoupon, call: ProcessorCall): Promise<CreatedCoupon> {
  const params: Stripe.CouponCreateParams = {
    percent_off: coupon.percentOff,
    duration: coupon.duration,
    ...(coupon.durationInMonths === null ? {} : { duration_in_months: coupon.durationInMonths }),
    applies_to: { products: [...coupon.productIds] },
    name: coupon.name,
    metadata: { ...coupon.metadata },
  };
  const created = await callWithKey(call, (options) => stripe.coupons.create(params, options));
  requireEnvironment(created, livemode);
  return { id: created.id };
}

/** The newest coupon with all of this metadata whose creation was requested in this period. */
export async function findCoupon({ stripe }: Account, metadata: Metadata, called: Period, { budget }: Call): Promise<CreatedCoupon | null> {
  const { from, to } = creationSpan(called);
  const created = { gte: Math.floor(from / SECOND), lte: Math.ceil(to / SECOND) };
  const found = await findAttributed(metadata, { after: null, until: to }, (page) =>
    callProcessor(budget, (timeout) => stripe.coupons.list({ ...page, created }, { timeout })),
  );
  return found === null ? null : { id: found.id };
}

/** Deletes a coupon. It is not an error if the coupon is already deleted. */
export async function deleteCoupon({ stripe }: Account, couponId: string, { budget }: Call): Promise<void> {
  try {
    await callProcessor(budget, (timeout) => stripe.coupons.del(couponId, {}, { timeout }));
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}

/** Creates the code that customers enter. @throws {@link PromotionCodeTaken}, and the failures that {@link createCoupon} throws. */
export async function createPromotionCode(
  { stripe, livemode }: Account,
  code: NewPromotionCode,
  call: ProcessorCall,
): Promise<CreatedPromotionCode> {
  const params: Stripe.PromotionCodeCreateParams = {
    promotion: { type: "coupon", coupon: code.couponId },
    code: code.code,
    ...(code.maxRedemptions === null ? {} : { max_redemptions: code.maxRedemptions }),
    ...(code.expiresAt === null ? {} : { expires_at: Math.floor(code.expiresAt / SECOND) }),
    metadata: { ...code.metadata },
  };
  try {
    const created = await callWithKey(call, (options) => stripe.promotionCodes.create(params, options));
    requireEnvironment(created, livemode);
    return { id: created.id, couponId: code.couponId };
  } catch (thrown) {
    throw isCodeTaken(thrown instanceof Error ? thrown.cause : undefined) ? new PromotionCodeTaken() : thrown;
  }
}

/** The active code with this text, if it exists and carries all of this metadata. */
export async function findPromotionCode(
  { stripe }: Account,
  code: string,
  metadata: Metadata,
  { budget }: Call,
): Promise<CreatedPromotionCode | null> {
  const found = await callProcessor(budget, (timeout) => stripe.promotionCodes.list({ code, active: true, limit: 1 }, { timeout }));
  const active = found.data[0];
  const couponId = idOf(active?.promotion.coupon ?? null);
  if (active === undefined || couponId === null || !isAttributedTo(active.metadata, metadata)) return null;
  return { id: active.id, couponId };
}

/** Deactivates a code: customers can no longer use it, and its text is available again. */
export async function deactivatePromotionCode({ stripe }: Account, id: string, { budget }: Call): Promise<void> {
  await callProcessor(budget, (timeout) => stripe.promotionCodes.update(id, { active: false }, { timeout }));
}

/** The processor has no error code for this, so we parse its message: "An active promotion code with … already exists." */
function isCodeTaken(thrown: unknown): boolean {
  return thrown instanceof Stripe.errors.StripeInvalidRequestError && /active promotion code .{0,600}already exists/is.test(thrown.message);
}
