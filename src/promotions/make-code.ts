import { z } from "zod";
import { type ServiceError, ServiceFailure, serviceErrorSchema } from "../core/errors.ts";
import type { PastRun, Run } from "../idempotency/work.ts";
import { attributionOf } from "../processor/attribution.ts";
import { hasAbandonedKeys, lookFor, makeOrFind } from "../processor/make-or-find.ts";
import { CodeTaken, type CreatedPromotionCode, type Processor } from "../processor/port.ts";
import type { PromotionPlan } from "./promotion-code.ts";

const couponSchema = z.object({ id: z.string() });
const COUPON = "coupon";
const CODE = "promotion_code";
const REFUSED = "refused";

/** What customers see on their invoice, at the most. */
const MOST_NAME_CHARACTERS = 40;

/**
 * Makes a coupon and, on it, the code that customers type: both or neither. Where the processor refuses the code, the
 * coupon is taken away again; that it was refused is noted first, so that a run that is cut off in between goes on
 * clearing up and says the same.
 * @throws ServiceFailure `code_already_exists`, or as the processor's.
 */
export async function makeCode(processor: Processor, plan: PromotionPlan, run: Run<unknown>): Promise<CreatedPromotionCode> {
  const metadata = attributionOf(run);
  const coupon = await run.step(
    COUPON,
    couponSchema,
    () =>
      makeOrFind(
        run,
        { step: COUPON },
        (key) => processor.createCoupon(couponOf(plan, metadata), { key, deadline: run.deadline }),
        () => processor.findCoupon(metadata, run),
      ),
    () => [],
  );
  const refused = run.recall(REFUSED, serviceErrorSchema);
  if (refused !== undefined) return giveUp(processor, run, coupon.id, refused);
  const { code, maxRedemptions, expiresAt } = plan;
  const wanted = { couponId: coupon.id, code, maxRedemptions, expiresAt, metadata };
  const find = () => processor.findPromotionCode(code, metadata, run);
  try {
    return await makeOrFind(run, { step: CODE }, (key) => processor.createPromotionCode(wanted, { key, deadline: run.deadline }), find);
  } catch (thrown) {
    // What is taken may be ours: made by a call whose answer was lost, and only now to be seen.
    const ours = thrown instanceof CodeTaken ? await lookFor(find) : null;
    if (ours !== null) return ours;
    const error = refusalIn(thrown, code);
    if (error === null) throw thrown;
    await run.note(REFUSED, error);
    return giveUp(processor, run, coupon.id, error);
  }
}

/**
 * Takes back what attempts that nobody goes on from have left: the coupon, and a code on it that may have been made
 * without anybody having been told.
 */
export async function takeBack(processor: Processor, plan: PromotionPlan, run: PastRun): Promise<void> {
  const metadata = attributionOf(run);
  const code = await processor.findPromotionCode(plan.code, metadata, run);
  if (code !== null) await processor.deactivatePromotionCode(code.id, run);
  const coupon = run.made(COUPON, couponSchema) ?? (await processor.findCoupon(metadata, run));
  if (coupon !== null) await processor.deleteCoupon(coupon.id, run);
}

/** What the failure says for good; null where it may pass, or nobody knows what became of the call. */
function refusalIn(thrown: unknown, code: string): ServiceError | null {
  if (thrown instanceof CodeTaken) return { kind: "code_already_exists", code };
  return thrown instanceof ServiceFailure && thrown.leaves === "nothing" ? thrown.error : null;
}

async function giveUp(processor: Processor, run: Run<unknown>, couponId: string, error: ServiceError): Promise<never> {
  try {
    await processor.deleteCoupon(couponId, run);
  } catch (cause) {
    throw new ServiceFailure(error, { leaves: "leftovers", cause });
  }
  // Where a key told nothing of its first call, a code may still come to light.
  throw new ServiceFailure(error, { leaves: hasAbandonedKeys(run, CODE) ? "leftovers" : "undone" });
}

function couponOf(plan: PromotionPlan, metadata: Readonly<Record<string, string>>) {
  const { percentOff, duration, durationInMonths, productIds, code } = plan;
  return { percentOff, duration, durationInMonths, productIds, name: code.slice(0, MOST_NAME_CHARACTERS), metadata };
}
