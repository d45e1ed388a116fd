import { z } from "zod";
import { type ServiceError, ServiceFailure, serviceErrorSchema } from "../core/errors.ts";
import type { Run } from "../idempotency/work.ts";
import { attributionOf } from "../processor/attribution.ts";
import { makeOrFind } from "../processor/make-or-find.ts";
import { CodeTaken, type CreatedPromotionCode, type Processor } from "../processor/port.ts";
import type { PromotionPlan } from "./promotion-code.ts";

const couponSchema = z.object({ id: z.string() });
const REFUSED = "refused";

/** What customers see on their invoice, at the most. */
const MOST_NAME_CHARACTERS = 40;

/**
 * Makes a coupon and, on it, the code that customers type: both or neither. Where the processor refuses the code, the
 * coupon is taken away again before the failure counts as stored; that it was refused is noted first, so that a run
 * that is cut off in between goes on clearing up and says the same.
 * @throws ServiceFailure `code_already_exists`, or as the processor's.
 */
export async function makeCode(processor: Processor, plan: PromotionPlan, run: Run<unknown>): Promise<CreatedPromotionCode> {
  const metadata = attributionOf(run);
  const coupon = await run.step(
    "coupon",
    couponSchema,
    () =>
      makeOrFind(
        run,
        { step: "coupon" },
        (key) => processor.createCoupon(couponOf(plan, metadata), { key, deadline: run.deadline }),
        () => processor.findCoupon(metadata, run),
      ),
    () => [],
  );
  const refused = run.recall(REFUSED, serviceErrorSchema);
  if (refused !== undefined) return giveUp(processor, run, coupon.id, refused);
  const made = await makeOn(coupon.id);
  // A code that an earlier attempt had made, on a coupon of its own: this one's is not needed.
  if (made.couponId !== coupon.id) await processor.deleteCoupon(coupon.id, run);
  return made;

  async function makeOn(couponId: string): Promise<CreatedPromotionCode> {
    const find = () => processor.findPromotionCode(plan.code, metadata, run);
    const { code, maxRedemptions, expiresAt } = plan;
    const wanted = { couponId, code, maxRedemptions, expiresAt, metadata };
    try {
      const make = (key: string) => processor.createPromotionCode(wanted, { key, deadline: run.deadline });
      return await makeOrFind(run, { step: "promotion_code" }, make, find);
    } catch (thrown) {
      // What is taken may be ours: an attempt whose answer was lost for too long had made it.
      const ours = thrown instanceof CodeTaken ? await find() : null;
      if (ours !== null) return ours;
      const error = refusalIn(thrown, code);
      if (error === null) throw thrown;
      await run.note(REFUSED, error);
      return giveUp(processor, run, couponId, error);
    }
  }
}

/** What the failure says for good; null where it may pass, or nobody knows what became of the call. */
function refusalIn(thrown: unknown, code: string): ServiceError | null {
  if (thrown instanceof CodeTaken) return { kind: "code_already_exists", code };
  return thrown instanceof ServiceFailure && thrown.leaves === "nothing" ? thrown.error : null;
}

/** The record stays unfinished, with this answer, until the coupon is gone. */
async function giveUp(processor: Processor, run: Run<unknown>, couponId: string, error: ServiceError): Promise<never> {
  try {
    await processor.deleteCoupon(couponId, run);
  } catch (cause) {
    throw new ServiceFailure(error, { leaves: "unfinished", cause });
  }
  throw new ServiceFailure(error, { leaves: "undone" });
}

function couponOf(plan: PromotionPlan, metadata: Readonly<Record<string, string>>) {
  const { percentOff, duration, durationInMonths, productIds, code } = plan;
  return { percentOff, duration, durationInMonths, productIds, name: code.slice(0, MOST_NAME_CHARACTERS), metadata };
}
