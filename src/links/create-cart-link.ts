import * as z from "zod";
import { ownProducts } from "../catalogue/card-products.ts";
import type { CardProductRow } from "../catalogue/store.ts";
import { cartCurrencies } from "../core/money.ts";
import { type KeyActors, runIdempotent } from "../idempotency/client.ts";
import { requestKeyOf } from "../idempotency/key.ts";
import { v2Protocol } from "../idempotency/v2-protocol.ts";
import type { Workflow } from "../idempotency/workflow.ts";
import { type Caller, holderName } from "../partners/authenticate.ts";
import { findLinkRow } from "./admin/links.ts";
import { type CartPlan, type CartRequest, cartPlanSchema, checkCart, contentOfCart, planCart, productField } from "./cart.ts";
import { previewOfLink } from "./link-plan.ts";
import { compensateLink, type LinkDeps, linkItemsSchema, makeLink } from "./make-link.ts";

const cartLinkSchema = z.object({
  paymentLinkId: z.string(),
  slug: z.string(),
  currency: z.enum(cartCurrencies),
  recurring: cartPlanSchema.shape.recurring,
  items: linkItemsSchema,
  environment: cartPlanSchema.shape.environment,
  /** The payment methods of the created link. */
  paymentMethodTypes: z.array(z.string()),
});

export type CartLink = z.infer<typeof cartLinkSchema>;

/**
 * Creates one payment link for a cart, once per client token, or per content without a token (interface T.8).
 * `products`: the rows of its products. First creation: 3 D1 round trips (record, link, completion) and 2 processor
 * calls. Repeat: one D1 round trip, or none where the key's object remembers the result, and no processor calls; without a
 * token one more, for the link's state.
 * @throws ServiceFailure from the catalogue, the cart validation, the key's state or the processor;
 * `short_link_unavailable`.
 */
export async function createCartLink(
  deps: { readonly keyActors: KeyActors },
  caller: Caller,
  request: CartRequest,
  clientToken: string | undefined,
  products: readonly CardProductRow[],
): Promise<{ link: CartLink; duplicate: boolean }> {
  checkCart(request);
  const own = products.filter(({ partnerId }) => partnerId === caller.partnerId);
  const wanted = request.items.map(({ productId }, index) => ({ productId, field: productField(index) }));
  const run = (content: ReturnType<typeof contentOfCart>) =>
    runIdempotent(deps.keyActors, cartLinkWorkflow, {
      caller,
      holder: holderName(caller.holder),
      key: requestKeyOf(clientToken),
      contents: [content],
      plan: () => planCart(request, ownProducts(products, caller.partnerId, wanted)),
    });
  const joined = await run(contentOfCart(clientToken === undefined ? { ...request, currency: otherCurrency(request, own) } : request));
  // The products were sold in another currency when the link was made, and the request names the present one.
  const isNamed = request.currency === undefined || request.currency === joined.result.currency;
  const { result, replayed } = clientToken === undefined && joined.replayed && !isNamed ? await run(contentOfCart(request)) : joined;
  return { link: result, duplicate: replayed };
}

/**
 * The currency of a cart, unless it is the products' own: in a cart without a token, naming it is the same as leaving it out. A
 * currency that is left out stays so, whatever becomes of the catalogue: then a repeat is the same request.
 */
function otherCurrency({ currency }: CartRequest, own: readonly CardProductRow[]): CartRequest["currency"] {
  return own.some((product) => product.currency === currency) ? undefined : currency;
}

/** The workflow of {@link createCartLink}, run once per key: creates the link, its rows and its short link. */
export const cartLinkWorkflow: Workflow<LinkDeps, CartPlan, CartLink> = {
  operation: "create-partner-processor-cart-payment-link",
  generation: v2Protocol({ whileRunning: "refuse", afterFailure: "refuse" }),
  plan: cartPlanSchema,
  result: cartLinkSchema,
  environmentOf: ({ environment }) => environment,
  preview: previewOfLink,
  autoResume: true,
  budget: "product_create",
  compensate: compensateLink,
  async isUsable(deps, { paymentLinkId }, record) {
    const link = await deps.findById(record.id, ({ db }) => findLinkRow(db, paymentLinkId));
    if (link === null) return true;
    // A link that has limits was made for one order: an equal cart is another one.
    const { disabledAt, maxPayments, closesAt } = link.found;
    return disabledAt === null && maxPayments === null && closesAt === null;
  },
  perform: (deps, plan, run) =>
    makeLink(deps, plan, "cart", run, (made) => ({
      ...made,
      paymentMethodTypes: [...made.paymentMethodTypes],
      environment: plan.environment,
      currency: plan.currency,
      recurring: plan.recurring,
    })),
};
