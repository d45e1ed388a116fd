import * as z from "zod";
import { orUnknown, type ServiceError, ServiceFailure, serviceErrorSchema } from "../core/errors.ts";
import type { CompensationRun, Run } from "../idempotency/workflow.ts";
import { attributionOf } from "../processor/attribution-metadata.ts";
import { createOrFind, hasAbandonedKeys } from "../processor/create-or-find.ts";
import { type CreatedPromotionCode, PromotionCodeTaken } from "../processor/port.ts";
import type { Processor } from "../processor/processor.ts";
import type { PromotionPlan } from "./promotion-code.ts";

const couponSchema = z.object({ id: z.string() });
const COUPON = "coupon";
const CODE = "promotion_code";
const REFUSED = "refused";

/** Maximum length of the coupon's name, which customers see on their invoice. */
const MAX_NAME_LENGTH = 40;

/**
 * Creates a coupon and its promotion code, which customers enter: both or neither. If the processor refuses the code,
 * the coupon is deleted. The refusal is stored first: if the run is interrupted before the deletion, the next run
 * continues the compensation and returns the same error.
 * @throws ServiceFailure `code_already_exists`, or an error from the processor.
 */
export async function makeCode(processor: Processor, plan: PromotionPlan, run: Run<unknown>): Promise<CreatedPromotionCode> {
  const metadata = attributionOf(run);
  const coupon = await run.step(
    COUPON,
    couponSchema,
    () =>
      createOrFind(
        run,
        { step: COUPON },
        (call) => processor.createCoupon(couponOf(plan, metadata), call),
        () => processor.findCoupon(metadata, run.calledBetween(), run),
      ),
    () => [],
  );
  const refused = run.readNote(REFUSED, serviceErrorSchema);
  if (refused !== undefined) return deleteCouponAndFail(processor, run, coupon.id, refused);
  const { code, maxRedemptions, expiresAt } = plan;
  const wanted = { couponId: coupon.id, code, maxRedemptions, expiresAt, metadata };
  const find = () => processor.findPromotionCode(code, metadata, run);
  try {
    return await createOrFind(run, { step: CODE }, (call) => processor.createPromotionCode(wanted, call), find);
  } catch (thrown) {
    // The existing code may be this run's: an earlier call created it, its response was lost, and it is visible only
    // now.
    const ours = thrown instanceof PromotionCodeTaken ? await orUnknown(find) : null;
    if (ours !== null) return ours;
    const error = permanentErrorOf(thrown, code);
    if (error === null) throw thrown;
    await run.saveNote(REFUSED, error);
    return deleteCouponAndFail(processor, run, coupon.id, error);
  }
}

/**
 * Compensates attempts that will not be resumed: deletes the coupon, and deactivates its promotion code if one exists.
 * Such a code may exist although no caller ever received it.
 */
export async function compensatePromotion(processor: Processor, plan: PromotionPlan, run: CompensationRun): Promise<void> {
  const metadata = attributionOf(run);
  const code = await processor.findPromotionCode(plan.code, metadata, run);
  if (code !== null) await processor.deactivatePromotionCode(code.id, run);
  const coupon = run.stepOutput(COUPON, couponSchema) ?? (await processor.findCoupon(metadata, run.calledBetween(), run));
  if (coupon !== null) await processor.deleteCoupon(coupon.id, run);
}

/** The error of a permanent failure. Null if the failure may be temporary, or if the outcome of the call is unknown. */
function permanentErrorOf(thrown: unknown, code: string): ServiceError | null {
  if (thrown instanceof PromotionCodeTaken) return { kind: "code_already_exists", code };
  return thrown instanceof ServiceFailure && thrown.sideEffects === "none" ? thrown.error : null;
}

async function deleteCouponAndFail(processor: Processor, run: Run<unknown>, couponId: string, error: ServiceError): Promise<never> {
  try {
    await processor.deleteCoupon(couponId, run);
  } catch (cause) {
    throw new ServiceFailure(error, { sideEffects: "compensation_pending", cause });
  }
  // If a key did not show the outcome of its first call, a code may still appear later.
  throw new ServiceFailure(error, { sideEffects: hasAbandonedKeys(run, CODE) ? "compensation_pending" : "compensated" });
}

/** The coupon applies to the listed products only (interface 2.9). */
function couponOf(plan: PromotionPlan, metadata: Readonly<Record<string, string>>) {
  const { percentOff, duration, durationInMonths, productIds, code } = plan;
  return { percentOff, duration, durationInMonths, productIds, name: code.slice(0, MAX_NAME_LENGTH), metadata };
}
