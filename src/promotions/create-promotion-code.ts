import { z } from "zod";
import { loadOwnProducts } from "../catalogue/card-products.ts";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import type { Database } from "../db/client.ts";
import { doOnce, type OperationObjects } from "../idempotency/client.ts";
import { firstGeneration } from "../idempotency/first-generation.ts";
import type { Work } from "../idempotency/work.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Processor } from "../processor/port.ts";
import { makeCode, takeBack } from "./make-code.ts";
import {
  checkDuration,
  contentOfPromotion,
  type PromotionCodeRequest,
  type PromotionPlan,
  planPromotion,
  productField,
  promotionPlanSchema,
  whyTooLate,
} from "./promotion-code.ts";
import { insertPromotionCode } from "./store.ts";

const promotionCodeSchema = promotionPlanSchema.omit({ source: true }).extend({
  couponId: z.string(),
  promotionCodeId: z.string(),
  /** When the request was first made, in Unix milliseconds. */
  createdAt: z.int(),
  /** Retries towards the processor in the request that succeeded. */
  retryCount: z.int(),
});

export type PromotionCode = z.infer<typeof promotionCodeSchema>;

interface PromotionTools {
  readonly db: Database;
  readonly clock: Clock;
  processor(environment: Environment): Processor;
}

/**
 * Creates a percentage promotion code for up to 50 products (interface, operation 2), once per idempotency key.
 * First creation: products, record, coupon, completion: 4 D1 round trips and 2 processor calls. Repeat: 2 and none.
 * @throws ServiceFailure of the rules, the catalogue, `mixed_environment`, the key's state, the processor,
 * `code_already_exists`.
 */
export async function createPromotionCode(
  tools: Pick<PromotionTools, "db" | "clock"> & { readonly operationObjects: OperationObjects },
  caller: Caller,
  request: PromotionCodeRequest,
  idempotencyKey: string,
): Promise<{ code: PromotionCode; replayed: boolean }> {
  checkDuration(request);
  const wanted = request.productIds.map((productId, index) => ({ productId, field: productField(index) }));
  const plan = planPromotion(request, await loadOwnProducts(tools.db, caller.partnerId, wanted));
  const { result, replayed } = await doOnce(tools.operationObjects, promotionCodeWork, {
    partnerId: caller.partnerId,
    key: { kind: "key", text: idempotencyKey },
    refuseNew: whyTooLate(request, tools.clock.now()),
    content: contentOfPromotion(plan),
    plan,
  });
  return { code: result, replayed };
}

/** What {@link createPromotionCode} has done once per key: the coupon, the code and their rows. */
export const promotionCodeWork: Work<PromotionTools, PromotionPlan, PromotionCode> = {
  operation: "promotion-code-create",
  generation: firstGeneration,
  plan: promotionPlanSchema,
  result: promotionCodeSchema,
  finishUnasked: true,
  cleanUp: (tools, plan, run) => takeBack(tools.processor(plan.environment), plan, run),

  async perform(tools, plan, run) {
    const made = await makeCode(tools.processor(plan.environment), plan, run);
    const now = tools.clock.now();
    const { productIds, ...terms } = plan;
    const row = { ...terms, id: made.id, partnerId: run.partnerId, couponId: made.couponId, recordId: run.recordId, createdAt: now };
    return run.complete(
      { ...plan, couponId: made.couponId, promotionCodeId: made.id, createdAt: run.createdAt, retryCount: run.deadline.retries },
      insertPromotionCode(tools.db, row, productIds, now),
    );
  },
};
