import * as z from "zod";
import { requireIdCode } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import type { Cell } from "../db/client.ts";
import type { FindById } from "../db/find-row.ts";
import type { CompensationRun, Run } from "../idempotency/workflow.ts";
import { attributionOf } from "../processor/attribution-metadata.ts";
import type { LinkItem } from "../processor/port.ts";
import type { Processor } from "../processor/processor.ts";
import type { CacheDeps } from "../short-links/cache.ts";
import { issueShortLink } from "../short-links/issue.ts";
import { isCheckout } from "../short-links/target.ts";
import { paymentMethodRefused } from "../webhooks/outbox/events/payment-method-refused.ts";
import { type OutboxDeps, recordEvent } from "../webhooks/outbox/store.ts";
import { type CreatedLink, createdLinkSchema, createProcessorLink, remainingMethods } from "./create-processor-link.ts";
import type { LinkPlan } from "./link-plan.ts";
import { methodsCovering } from "./payment-methods.ts";
import { completePaymentLink, insertPaymentLink, searchRangeOf } from "./store.ts";

export const linkItemsSchema = z.array(z.object({ productId: z.string(), priceId: z.string(), quantity: z.int() }));

export type LinkDeps = CacheDeps &
  OutboxDeps & {
    readonly db: Cell;
    readonly clock: Clock;
    readonly checkoutOrigins: readonly string[] | null;
    readonly findById: FindById<{ readonly db: Cell }>;
    processor(environment: Environment): Processor;
  };

/** The step that creates the link and stores its row. */
export const LINK_STEP = "payment_link";

const NOT_A_CHECKOUT = "the processor made a link at an address that CHECKOUT_ORIGINS does not name";

/** A created payment link and its short link. */
export interface MadeLink {
  readonly paymentLinkId: string;
  readonly slug: string;
  /** In the order of the plan's items. */
  readonly items: LinkItem[];
  /** The payment methods of the link, without refused ones. */
  readonly paymentMethodTypes: readonly string[];
}

/**
 * Executes a link plan in a run: creates the link with its prices at the processor, its rows, its short link, and the
 * event for refused payment methods. `resultOf` builds the operation's result, which completes the run.
 * @throws ServiceFailure from the processor; `short_link_unavailable` if the link was created but not its short link.
 */
export async function makeLink<Result>(
  deps: LinkDeps,
  plan: LinkPlan,
  source: "cart" | "product" | "moderation",
  run: Run<Result>,
  resultOf: (made: MadeLink) => Result,
): Promise<Result> {
  const processor = deps.processor(plan.environment);
  const created = await run.step(
    LINK_STEP,
    createdLinkSchema,
    () =>
      createProcessorLink(processor, run, plan, {
        defaults: plan.defaultPaymentMethodTypes,
        searchRange: () => searchRangeOf(deps.db, plan.environment, run.calledBetween()),
      }),
    (link) => [insertPaymentLink(deps.db, linkRow(plan, source, run, link, deps.clock.now()))],
  );
  // Fails before a partner gets an address that leads nowhere. After the setting is corrected, a repeat resumes here.
  if (!isCheckout(created, deps.checkoutOrigins)) throw new Error(NOT_A_CHECKOUT);
  const lines = await run.memo("lines", linkItemsSchema, () => processor.listLinkItems(created.id, run));
  const items = inPlanOrder(plan, lines);
  const paymentMethodTypes = remainingMethods(plan.paymentMethodTypes, plan.defaultPaymentMethodTypes, created.refusedMethods);
  const refused = await eventOfRefusal(run, plan, created);
  const now = deps.clock.now();
  const result = await issueShortLink(deps, { ...created, partnerId: run.partnerId, idCode: requireIdCode(run.recordId) }, (slug) =>
    run.complete(resultOf({ paymentLinkId: created.id, slug, items, paymentMethodTypes }), [
      completePaymentLink(deps.db, created.id, withAmounts(plan, items), slug),
      ...(refused === null ? [] : [recordEvent(deps.db, refused, now)]),
    ]),
  );
  if (refused !== null) await deps.deliveryQueue.send([refused.id]);
  return result;
}

/**
 * Deactivates the link of failed attempts that will not be resumed: no partner received it. A link that lacks only its
 * short link is kept, because its attempt counts as unfinished.
 */
export async function compensateLink(deps: LinkDeps, { environment }: LinkPlan, run: CompensationRun): Promise<void> {
  const processor = deps.processor(environment);
  const link = run.stepOutput(LINK_STEP, createdLinkSchema) ?? (await findLost());
  if (link !== null) await processor.deactivatePaymentLink(link.id, run);

  async function findLost() {
    return processor.findPaymentLink(attributionOf(run), await searchRangeOf(deps.db, environment, run.calledBetween()), run);
  }
}

/** The event for refused payment methods; null if none was refused. */
async function eventOfRefusal(
  { partnerId, recordId }: Pick<Run<unknown>, "partnerId" | "recordId">,
  { environment }: LinkPlan,
  { id, refusedMethods }: CreatedLink,
) {
  return refusedMethods.length === 0
    ? null
    : paymentMethodRefused.make(requireIdCode(recordId), {
        partnerId,
        environment,
        paymentLinkId: id,
        refusedMethods,
        coveredBy: methodsCovering(refusedMethods),
      });
}

/** The processor's line items in the plan's order. A link has each product only once, so its id identifies the line. */
function inPlanOrder(plan: LinkPlan, lines: readonly LinkItem[]): LinkItem[] {
  return plan.items.map(({ productId, quantity }) => {
    const line = lines.find((candidate) => candidate.productId === productId);
    if (line?.quantity !== quantity) throw new Error(`the processor's link does not match the request: ${productId}`);
    return line;
  });
}

function linkRow(
  plan: LinkPlan,
  source: "cart" | "product" | "moderation",
  run: Pick<Run<unknown>, "recordId" | "partnerId" | "actor">,
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
    // An operator who approves a product is no holder of the partner's.
    holder: source === "moderation" ? null : run.actor.name,
  } as const;
}

function withAmounts(plan: LinkPlan, items: readonly LinkItem[]) {
  return items.map((item, position) => {
    const { unitAmount = 0, name = "" } = plan.items[position] ?? {};
    return { ...item, unitAmount, name };
  });
}
