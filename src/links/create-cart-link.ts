import { z } from "zod";
import { loadOwnProducts } from "../catalogue/card-products.ts";
import { doOnce, type OperationObjects } from "../idempotency/client.ts";
import { secondGeneration } from "../idempotency/second-generation.ts";
import type { Work } from "../idempotency/work.ts";
import type { Caller } from "../partners/authenticate.ts";
import { type CartPlan, type CartRequest, cartPlanSchema, contentOfCart, METHODS_FIELD, planCart, productField } from "./cart.ts";
import { type LinkTools, linkItemsSchema, makeLink } from "./make-link.ts";
import { checkPaymentMethods } from "./payment-methods.ts";

const cartLinkSchema = z.object({
  paymentLinkId: z.string(),
  slug: z.string(),
  currency: z.enum(["USD", "EUR", "GBP"]),
  recurring: cartPlanSchema.shape.recurring,
  items: linkItemsSchema,
});

export type CartLink = z.infer<typeof cartLinkSchema>;

/**
 * Creates one payment link for a cart (interface, operation 8), once per token or, without one, per content.
 * First creation: products, record, link, completion: 4 D1 round trips and 2 processor calls. Repeat: 2 and none.
 * @throws ServiceFailure of the catalogue, the cart's rules, the key's state, the processor, `short_link_unavailable`.
 */
export async function createCartLink(
  tools: Pick<LinkTools, "db"> & { readonly operationObjects: OperationObjects },
  caller: Caller,
  request: CartRequest,
  clientToken: string | undefined,
): Promise<{ link: CartLink; duplicate: boolean }> {
  checkPaymentMethods(request.paymentMethodTypes ?? [], request.currency, METHODS_FIELD);
  const wanted = request.items.map(({ productId }, index) => ({ productId, field: productField(index) }));
  const plan = planCart(request, await loadOwnProducts(tools.db, caller.partnerId, wanted));
  const { result, replayed } = await doOnce(tools.operationObjects, cartLinkWork, {
    partnerId: caller.partnerId,
    key: clientToken === undefined ? { kind: "content" } : { kind: "token", text: clientToken },
    content: contentOfCart(plan),
    plan,
  });
  return { link: result, duplicate: replayed };
}

/** What {@link createCartLink} has done once per key: the link, its rows and its short link. */
export const cartLinkWork: Work<LinkTools, CartPlan, CartLink> = {
  operation: "create-partner-processor-cart-payment-link",
  generation: secondGeneration({ whileRunning: "refuse", afterFailure: "refuse" }),
  plan: cartPlanSchema,
  result: cartLinkSchema,
  finishUnasked: true,
  perform: (tools, plan, run) =>
    makeLink(tools, plan, "cart", run, (made) => ({ ...made, currency: plan.currency, recurring: plan.recurring })),
};
