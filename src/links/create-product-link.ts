import * as z from "zod";
import { currencyOfOwn, ownProduct } from "../catalogue/card-products.ts";
import type { CardProductRow } from "../catalogue/store.ts";
import { ServiceFailure } from "../core/errors.ts";
import { type KeyActors, runIdempotent } from "../idempotency/client.ts";
import { v1Protocol } from "../idempotency/v1-protocol.ts";
import type { Workflow } from "../idempotency/workflow.ts";
import { type Caller, holderName } from "../partners/authenticate.ts";
import { previewOfLink } from "./link-plan.ts";
import { compensateLink, type LinkDeps, makeLink } from "./make-link.ts";
import {
  checkProductLink,
  contentsOfProductLink,
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
  /** Failed attempts under the key before this success (interface 1.7). */
  retryCount: z.int(),
});

export type ProductLink = z.infer<typeof productLinkSchema>;

/**
 * Creates an additional payment link for an approved product (interface 1.8), once per idempotency key. First
 * creation: 3 D1 round trips (record, link, completion) and 2 processor calls; `products` are the rows of its product.
 * Repeat: one D1 round trip, or none where the key's object remembers the result, and no processor calls.
 * @throws ServiceFailure from the catalogue, the link validation, the key's state or the processor;
 * `short_link_unavailable`.
 */
export async function createProductLink(
  deps: { readonly keyActors: KeyActors },
  caller: Caller,
  request: ProductLinkRequest,
  idempotencyKey: string,
  products: readonly CardProductRow[],
): Promise<{ link: ProductLink; replayed: boolean }> {
  checkProductLink(request);
  const wanted = { productId: request.productId, field: "productId" };
  const { result, replayed } = await sayingCurrency(() =>
    runIdempotent(deps.keyActors, productLinkWorkflow, {
      caller,
      holder: holderName(caller.holder),
      key: { kind: "client", text: idempotencyKey },
      contents: contentsOfProductLink(request, currencyOfOwn(products, caller.partnerId)),
      plan: () => planProductLink(request, ownProduct(products, caller.partnerId, wanted)),
    }),
  );
  return { link: result, replayed };
}

/** Runs a request whose effective currency is part of the comparison (interface F.3): its conflict error says so. */
async function sayingCurrency<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure) || thrown.error.kind !== "key_reused_with_different_payload") throw thrown;
    throw new ServiceFailure({ ...thrown.error, withCurrency: true }, { cause: thrown.cause });
  }
}

/** The workflow of {@link createProductLink}, once per key: creates the link, its price, its rows and short link. */
export const productLinkWorkflow: Workflow<LinkDeps, ProductLinkPlan, ProductLink> = {
  operation: "payment-link-create",
  generation: v1Protocol,
  plan: productLinkPlanSchema,
  result: productLinkSchema,
  environmentOf: ({ environment }) => environment,
  preview: previewOfLink,
  autoResume: true,
  budget: "product_create",
  compensate: compensateLink,

  perform(deps, plan, run) {
    return makeLink(deps, plan, "product", run, ({ paymentLinkId, slug, items }) => {
      const [asked, made] = [plan.items[0], items[0]];
      if (asked === undefined || made === undefined) throw new Error("a product link has no line item");
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
