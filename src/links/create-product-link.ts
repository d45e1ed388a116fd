import { z } from "zod";
import { loadOwnProducts } from "../catalogue/card-products.ts";
import { doOnce, type OperationObjects } from "../idempotency/client.ts";
import { firstGeneration } from "../idempotency/first-generation.ts";
import type { Work } from "../idempotency/work.ts";
import type { Caller } from "../partners/authenticate.ts";
import { type LinkTools, makeLink } from "./make-link.ts";
import {
  contentOfProductLink,
  type ProductLinkPlan,
  type ProductLinkRequest,
  planProductLink,
  productLinkPlanSchema,
} from "./product-link.ts";

const productLinkSchema = z.object({
  paymentLinkId: z.string(),
  slug: z.string(),
  productId: z.string(),
  priceId: z.string(),
  unitAmount: z.int(),
  environment: productLinkPlanSchema.shape.environment,
  currency: productLinkPlanSchema.shape.currency,
  currencySource: productLinkPlanSchema.shape.currencySource,
  type: z.enum(["one_time", "subscription"]),
  /** Failed attempts under the key before this success. */
  retryCount: z.int(),
});

export type ProductLink = z.infer<typeof productLinkSchema>;

/**
 * Creates an additional payment link for an approved product (interface, operation 1), once per idempotency key.
 * First creation: product, record, link, completion: 4 D1 round trips and 2 processor calls. Repeat: 2 and none.
 * @throws ServiceFailure of the catalogue, the link's rules, the key's state, the processor, `short_link_unavailable`.
 */
export async function createProductLink(
  tools: Pick<LinkTools, "db"> & { readonly operationObjects: OperationObjects },
  caller: Caller,
  request: ProductLinkRequest,
  idempotencyKey: string,
): Promise<{ link: ProductLink; replayed: boolean }> {
  const wanted = { productId: request.productId, field: "stripe_product_id" };
  const [product] = await loadOwnProducts(tools.db, caller.partnerId, [wanted]);
  if (product === undefined) throw new Error("the catalogue gave no product for the one that was asked for");
  const plan = planProductLink(request, product);
  const { result, replayed } = await doOnce(tools.operationObjects, productLinkWork, {
    partnerId: caller.partnerId,
    key: { kind: "key", text: idempotencyKey },
    content: contentOfProductLink(plan),
    plan,
  });
  return { link: result, replayed };
}

/** What {@link createProductLink} has done once per key: the link, its price, its rows and its short link. */
export const productLinkWork: Work<LinkTools, ProductLinkPlan, ProductLink> = {
  operation: "payment-link-create",
  generation: firstGeneration,
  plan: productLinkPlanSchema,
  result: productLinkSchema,
  finishUnasked: true,

  perform(tools, plan, run) {
    return makeLink(tools, plan, "product", run, ({ paymentLinkId, slug, items }) => {
      const [asked, made] = [plan.items[0], items[0]];
      if (asked === undefined || made === undefined) throw new Error("a product's link has no line");
      return {
        paymentLinkId,
        slug,
        productId: made.productId,
        priceId: made.priceId,
        unitAmount: asked.unitAmount,
        environment: plan.environment,
        currency: plan.currency,
        currencySource: plan.currencySource,
        type: plan.recurring === null ? "one_time" : "subscription",
        retryCount: run.failedAttempts,
      };
    });
  },
};
