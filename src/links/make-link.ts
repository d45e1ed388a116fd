import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import type { Run } from "../idempotency/work.ts";
import { methodsRefused } from "../notifications/events.ts";
import { type OutboxTools, recordEvent, wakeUpFor } from "../notifications/outbox.ts";
import type { LinkItem, Processor } from "../processor/port.ts";
import { issueShortLink, type ShortLinkTools } from "../short-links/short-links.ts";
import { createdLinkSchema, createProcessorLink } from "./create-processor-link.ts";
import type { LinkPlan } from "./link-plan.ts";
import { insertPaymentLink, insertPaymentLinkItems } from "./store.ts";

export const linkItemsSchema = z.array(z.object({ productId: z.string(), priceId: z.string(), quantity: z.int() }));

export type LinkTools = ShortLinkTools & OutboxTools & { readonly clock: Clock; processor(environment: Environment): Processor };

/** A link with its short link, as {@link makeLink} made them. */
export interface MadeLink {
  readonly paymentLinkId: string;
  readonly slug: string;
  /** In the order of the plan. */
  readonly items: LinkItem[];
}

/**
 * Makes what a plan says, as a run: the link with its prices at the processor, its rows, its short link, and the
 * event for methods that the processor refused. `resultOf` turns it into the operation's own result, which ends the run.
 * @throws ServiceFailure of the processor; `short_link_unavailable` once the link exists without a short link.
 */
export async function makeLink<Result>(
  tools: LinkTools,
  plan: LinkPlan,
  source: "cart" | "product",
  run: Run<Result>,
  resultOf: (made: MadeLink) => Result,
): Promise<Result> {
  const processor = tools.processor(plan.environment);
  const created = await run.step(
    "payment_link",
    createdLinkSchema,
    () => createProcessorLink(processor, run, plan, plan.defaultPaymentMethodTypes),
    (link) => [insertPaymentLink(tools.db, linkRow(plan, source, run, link, tools.clock.now()))],
  );
  const lines = await run.remember("lines", linkItemsSchema, () => processor.listLinkItems(created.id, run));
  const items = inOrderOf(plan, lines);
  const refused = created.refusedMethods.length === 0 ? null : methodsRefused(run, plan.environment, created);
  const now = tools.clock.now();
  const result = await issueShortLink(tools, created, now, (slug, shortLinkRow) =>
    run.complete(resultOf({ paymentLinkId: created.id, slug, items }), [
      ...insertPaymentLinkItems(tools.db, itemRows(plan, created.id, items)),
      shortLinkRow,
      ...(refused === null ? [] : recordEvent(tools, refused, now)),
    ]),
  );
  if (refused !== null) await wakeUpFor(tools, [refused]);
  return result;
}

/** The processor's lines in the plan's order; each product stands in a link once, so its id finds the line. */
function inOrderOf(plan: LinkPlan, lines: readonly LinkItem[]): LinkItem[] {
  return plan.items.map(({ productId, quantity }) => {
    const line = lines.find((candidate) => candidate.productId === productId);
    if (line?.quantity !== quantity) throw new Error(`the processor's link does not hold what was asked for: ${productId}`);
    return line;
  });
}

function linkRow(
  plan: LinkPlan,
  source: "cart" | "product",
  run: Pick<Run<unknown>, "recordId" | "partnerId">,
  link: { id: string; url: string },
  now: number,
) {
  return {
    id: link.id,
    partnerId: run.partnerId,
    environment: plan.environment,
    source,
    recordId: run.recordId,
    currency: plan.currency,
    mode: plan.recurring === null ? "one_time" : "subscription",
    interval: plan.recurring?.interval ?? null,
    intervalCount: plan.recurring?.intervalCount ?? null,
    url: link.url,
    createdAt: now,
  } as const;
}

function itemRows(plan: LinkPlan, paymentLinkId: string, items: readonly LinkItem[]) {
  return items.map(({ productId, priceId, quantity }, position) => ({
    paymentLinkId,
    position,
    processorProductId: productId,
    processorPriceId: priceId,
    unitAmount: plan.items[position]?.unitAmount ?? 0,
    quantity,
  }));
}
