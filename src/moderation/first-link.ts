import * as z from "zod";
import type { CardProduct } from "../catalogue/card-products.ts";
import type { Actor } from "../core/actor.ts";
import { type KeyActors, runIdempotent } from "../idempotency/client.ts";
import { v2Protocol } from "../idempotency/v2-protocol.ts";
import type { Workflow } from "../idempotency/workflow.ts";
import { type LinkPlan, linkPlanSchema } from "../links/link-plan.ts";
import { compensateLink, type LinkDeps, makeLink } from "../links/make-link.ts";
import { defaultPaymentMethods } from "../links/payment-methods.ts";
import type { Caller } from "../partners/authenticate.ts";

const firstLinkSchema = z.object({ paymentLinkId: z.string(), slug: z.string() });

export type FirstLink = z.infer<typeof firstLinkSchema>;

/**
 * Creates the first link of a product at its catalogue price, once per price, currency and period: approving again
 * returns the same link, and a changed product gets another one. The former link stays.
 * @throws ServiceFailure from the processor; `short_link_unavailable`.
 */
export async function createFirstLink(
  deps: { readonly keyActors: KeyActors },
  owner: Pick<Caller, "partnerId" | "cell" | "idCode" | "earlier">,
  productId: string,
  product: CardProduct,
  unitAmount: number,
  actor: Actor,
): Promise<FirstLink> {
  const plan = planFirstLink(product, unitAmount);
  const { result } = await runIdempotent(deps.keyActors, firstLinkWorkflow, {
    caller: owner,
    holder: actor.name,
    key: { kind: "client", text: [productId, product.processorProductId, product.currency, unitAmount, periodOf(plan)].join(":") },
    // The key covers everything that the link sells. Other payment methods are not a conflict.
    contents: [productId],
    plan: () => plan,
  });
  return result;
}

function periodOf({ recurring }: LinkPlan): string {
  return recurring === null ? "once" : `${recurring.intervalCount} ${recurring.interval}`;
}

/** One unit of the product, at its own price, with its default payment methods. */
function planFirstLink(product: CardProduct, unitAmount: number): LinkPlan {
  const methods = [...defaultPaymentMethods([product], product.currency)];
  return {
    environment: product.environment,
    currency: product.currency,
    recurring: product.type === "one_time" ? null : { interval: product.interval, intervalCount: product.intervalCount },
    trialDays: 0,
    items: [{ productId: product.processorProductId, name: product.name, unitAmount, quantity: 1 }],
    paymentMethodTypes: methods,
    defaultPaymentMethodTypes: methods,
    allowPromotionCodes: false,
    successUrl: null,
  };
}

/** The workflow of {@link createFirstLink}. */
export const firstLinkWorkflow: Workflow<LinkDeps, LinkPlan, FirstLink> = {
  operation: "first-link",
  generation: v2Protocol({ whileRunning: "join", afterFailure: "try_again" }),
  plan: linkPlanSchema,
  result: firstLinkSchema,
  autoResume: true,
  budget: "moderation",
  compensate: compensateLink,
  perform: (deps, plan, run) => makeLink(deps, plan, "moderation", run, ({ paymentLinkId, slug }) => ({ paymentLinkId, slug })),
};
