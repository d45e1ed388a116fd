import * as z from "zod";
import { ownProducts } from "../catalogue/card-products.ts";
import type { CardProductRow } from "../catalogue/store.ts";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import type { Cell } from "../db/client.ts";
import { type KeyActors, runIdempotent } from "../idempotency/client.ts";
import { v1Protocol } from "../idempotency/v1-protocol.ts";
import type { Workflow } from "../idempotency/workflow.ts";
import { type Caller, holderName } from "../partners/authenticate.ts";
import type { Processor } from "../processor/processor.ts";
import { compensatePromotion, makeCode } from "./make-code.ts";
import {
  checkDuration,
  checkExpiry,
  contentOfPromotion,
  type PromotionCodeRequest,
  type PromotionPlan,
  planPromotion,
  previewOfPromotion,
  productField,
  promotionPlanSchema,
} from "./promotion-code.ts";
import { insertPromotionCode } from "./store.ts";

const promotionCodeSchema = promotionPlanSchema.omit({ source: true }).extend({
  couponId: z.string(),
  promotionCodeId: z.string(),
  /** When the request was first made, in Unix milliseconds (interface 2.8). */
  createdAt: z.int(),
  /** Retried processor calls in the request that succeeded. */
  retryCount: z.int(),
});

export type PromotionCode = z.infer<typeof promotionCodeSchema>;

interface PromotionDeps {
  readonly db: Cell;
  readonly clock: Clock;
  processor(environment: Environment): Processor;
}

/**
 * Creates a percentage promotion code for up to 50 products (interface 2.1), once per idempotency key.
 * `products`: the rows of its products. First creation: 3 D1 round trips (record, coupon, completion) and 2 processor
 * calls. Repeat: one D1 round trip, or none where the key's object remembers the result, and no processor calls.
 * @throws ServiceFailure from the validation, the catalogue, the key's state or the processor; `mixed_environment`,
 * `code_already_exists`.
 */
export async function createPromotionCode(
  deps: Pick<PromotionDeps, "clock"> & { readonly keyActors: KeyActors },
  caller: Caller,
  request: PromotionCodeRequest,
  idempotencyKey: string,
  products: readonly CardProductRow[],
): Promise<{ code: PromotionCode; replayed: boolean }> {
  checkDuration(request);
  const wanted = request.productIds.map((productId, index) => ({ productId, field: productField(index) }));
  const { result, replayed } = await runIdempotent(deps.keyActors, promotionCodeWorkflow, {
    caller,
    holder: holderName(caller.holder),
    key: { kind: "client", text: idempotencyKey },
    contents: [contentOfPromotion(request)],
    plan() {
      checkExpiry(request, deps.clock.now());
      return planPromotion(request, ownProducts(products, caller.partnerId, wanted));
    },
  });
  return { code: result, replayed };
}

/** The workflow of {@link createPromotionCode}, run once per key: creates the coupon, the code and their rows. */
export const promotionCodeWorkflow: Workflow<PromotionDeps, PromotionPlan, PromotionCode> = {
  operation: "promotion-code-create",
  generation: v1Protocol,
  plan: promotionPlanSchema,
  result: promotionCodeSchema,
  environmentOf: ({ environment }) => environment,
  preview: previewOfPromotion,
  autoResume: true,
  budget: "product_create",
  compensate: (deps, plan, run) => compensatePromotion(deps.processor(plan.environment), plan, run),

  async perform(deps, plan, run) {
    const made = await makeCode(deps.processor(plan.environment), plan, run);
    const now = deps.clock.now();
    const { id, couponId } = made;
    const productIds = JSON.stringify(plan.productIds);
    const row = {
      ...plan,
      productIds,
      id,
      couponId,
      partnerId: run.partnerId,
      recordId: run.recordId,
      createdAt: now,
      holder: run.actor.name,
    };
    return run.complete(
      { ...plan, couponId, promotionCodeId: id, createdAt: run.createdAt, retryCount: run.budget.retries },
      insertPromotionCode(deps.db, row, now),
    );
  },
};
