import { z } from "zod";
import { loadOwnProducts } from "../catalogue/card-products.ts";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { doOnce, type OperationObjects } from "../idempotency/client.ts";
import type { Run, Work } from "../idempotency/work.ts";
import { methodsRefused } from "../notifications/events.ts";
import { type OutboxTools, recordEvent, wakeUpFor } from "../notifications/outbox.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { LinkItem, Processor } from "../processor/port.ts";
import { issueShortLink, type ShortLinkTools } from "../short-links/short-links.ts";
import { type CartPlan, type CartRequest, cartPlanSchema, contentOfCart, METHODS_FIELD, planCart, productField } from "./cart.ts";
import { createdLinkSchema, createProcessorLink } from "./create-processor-link.ts";
import { checkPaymentMethods } from "./payment-methods.ts";
import { insertPaymentLink, insertPaymentLinkItems } from "./store.ts";

const linkItemsSchema = z.array(z.object({ productId: z.string(), priceId: z.string(), quantity: z.int() }));

const cartLinkSchema = z.object({
  paymentLinkId: z.string(),
  slug: z.string(),
  currency: z.enum(["USD", "EUR", "GBP"]),
  recurring: cartPlanSchema.shape.recurring,
  items: linkItemsSchema,
});

export type CartLink = z.infer<typeof cartLinkSchema>;

type CartLinkTools = ShortLinkTools & OutboxTools & { readonly clock: Clock; processor(environment: Environment): Processor };

/**
 * Creates one payment link for a cart (interface, operation 8), once per token or, without one, per content.
 * First creation: products, record, link, completion: 4 D1 round trips and 2 processor calls. Repeat: 2 and none.
 * @throws ServiceFailure of the catalogue, the cart's rules, the key's state, the processor, `short_link_unavailable`.
 */
export async function createCartLink(
  tools: Pick<CartLinkTools, "db"> & { readonly operationObjects: OperationObjects },
  caller: Caller,
  request: CartRequest,
  clientToken: string | undefined,
): Promise<{ link: CartLink; duplicate: boolean }> {
  checkPaymentMethods(request.paymentMethodTypes ?? [], request.currency, METHODS_FIELD);
  const wanted = request.items.map(({ productId }, index) => ({ productId, field: productField(index) }));
  const plan = planCart(request, await loadOwnProducts(tools.db, caller.partnerId, wanted));
  const content = contentOfCart(request, plan);
  const { result, replayed } = await doOnce(tools.operationObjects, cartLinkWork, {
    partnerId: caller.partnerId,
    clientToken,
    content,
    plan,
  });
  return { link: result, duplicate: replayed };
}

/** What {@link createCartLink} has done once per key: the link, its rows and its short link. */
export const cartLinkWork: Work<CartLinkTools, CartPlan, CartLink> = {
  operation: "create-partner-processor-cart-payment-link",
  generation: "v2",
  plan: cartPlanSchema,
  result: cartLinkSchema,
  rules: { whileRunning: "refuse", afterFailure: "refuse" },
  finishUnasked: true,

  async perform(tools, plan, run) {
    const processor = tools.processor(plan.environment);
    const created = await run.step(
      "payment_link",
      createdLinkSchema,
      () => createProcessorLink(processor, run, plan, plan.defaultPaymentMethodTypes),
      (link) => [insertPaymentLink(tools.db, linkRow(plan, run, link, tools.clock.now()))],
    );
    const lines = await run.remember("lines", linkItemsSchema, () => processor.listLinkItems(created.id, run));
    const items = inOrderOf(plan, lines);
    const refused = created.refusedMethods.length === 0 ? null : methodsRefused(run, plan.environment, created);
    const now = tools.clock.now();
    const link = await issueShortLink(tools, created, now, (slug, shortLinkRow) =>
      run.complete({ paymentLinkId: created.id, slug, currency: plan.currency, recurring: plan.recurring, items }, [
        ...insertPaymentLinkItems(tools.db, itemRows(plan, created.id, items)),
        shortLinkRow,
        ...(refused === null ? [] : recordEvent(tools, refused, now)),
      ]),
    );
    if (refused !== null) await wakeUpFor(tools, refused);
    return link;
  },
};

/** The processor's lines in the cart's order; each product stands in a cart once, so its id finds the line. */
function inOrderOf(plan: CartPlan, lines: readonly LinkItem[]): LinkItem[] {
  return plan.items.map(({ productId, quantity }) => {
    const line = lines.find((candidate) => candidate.productId === productId);
    if (line?.quantity !== quantity) throw new Error(`the processor's link does not hold the cart: ${productId}`);
    return line;
  });
}

function linkRow(plan: CartPlan, run: Pick<Run<unknown>, "recordId" | "partnerId">, link: { id: string; url: string }, now: number) {
  return {
    id: link.id,
    partnerId: run.partnerId,
    environment: plan.environment,
    source: "cart",
    recordId: run.recordId,
    currency: plan.currency,
    mode: plan.recurring === null ? "one_time" : "subscription",
    interval: plan.recurring?.interval ?? null,
    intervalCount: plan.recurring?.intervalCount ?? null,
    url: link.url,
    createdAt: now,
  } as const;
}

function itemRows(plan: CartPlan, paymentLinkId: string, items: readonly LinkItem[]) {
  return items.map(({ productId, priceId, quantity }, position) => ({
    paymentLinkId,
    position,
    processorProductId: productId,
    processorPriceId: priceId,
    unitAmount: plan.items[position]?.unitAmount ?? 0,
    quantity,
  }));
}
