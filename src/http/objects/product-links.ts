import * as z from "zod";
import { moderateProduct } from "../../catalogue/admin/products.ts";
import type { Product } from "../../catalogue/admin/store.ts";
import { processorIdOf } from "../../catalogue/store.ts";
import { upstreamBudget } from "../../core/call-budget.ts";
import { toMajorUnits } from "../../core/money.ts";
import { disableLink, type ListedLink } from "../../links/admin/links.ts";
import { linkSelections } from "../../links/list-links.ts";
import { linkAtPrice } from "../../moderation/approve-product.ts";
import { toldReason } from "../calls/call.ts";
import { conflict } from "../calls/refusal.ts";
import { defineCall } from "../ops/define-call.ts";
import type { Asker } from "./define.ts";
import { requireLink } from "./links.ts";
import { requireLocation } from "./partner-lookup.ts";
import { LINK_DISABLED, productPath, requireProduct, requireSeen, seenField } from "./product-lookup.ts";
import { productWith, viewProduct } from "./product-schemas.ts";
import { ownDeps } from "./rows.ts";

/** Links that one call closes, each with two calls to the processor. The console and the command repeat the call. */
const CLOSED_AT_ONCE = 20;

/** Pages of a partner's links that one search looks at, each of some thousand rows. */
const MOST_PAGES = 50;

/**
 * Open links of a product, newest first, at most `most`: those of carts that sell it, too. A link that is still being made has no
 * items yet, and is not among them. An approval that was cut off may have left its first link.
 */
async function openLinksOf(asker: Asker, { kind, row }: Product, most: number): Promise<ListedLink[]> {
  if (kind === "ruble") return [];
  const { data } = await ownDeps(asker, row.partnerId);
  const filter = { productId: processorIdOf(row), state: { wanted: "open", now: asker.deps.clock.now() } } as const;
  const list = { partnerId: row.partnerId, environment: row.environment, limit: most };
  const found: ListedLink[] = [];
  // A page of a filtered list may be short.
  let before: { readonly at: number; readonly id: string } | undefined;
  for (let pages = 0; pages < MOST_PAGES && found.length < most; pages += 1) {
    const page = await linkSelections.newest(data, { ...list, before }, filter);
    // Without a short link it cannot be disabled.
    found.push(...page.rows.filter(({ slug }) => slug !== null));
    if (page.next === null) break;
    before = page.next;
  }
  return found.slice(0, most);
}

/**
 * Disables some open links of a product, and says how many are left, at most `CLOSED_AT_ONCE` + 1 of them counted. The processor
 * closes each first: a link whose closing fails there stays open here, so that a repeat finds it. @throws ServiceFailure
 */
async function closeLinksOf(asker: Asker, product: Product): Promise<{ readonly closed: number; readonly left: number }> {
  const { deps, actor } = asker;
  const open = await openLinksOf(asker, product, CLOSED_AT_ONCE);
  for (const link of open) {
    const { found, cell } = await deps.pullToCurrentCell("payment_links", link.id, await requireLink(asker, link.id));
    const budget = upstreamBudget(deps.clock);
    await deps.processor(link.environment).deactivatePaymentLink(link.id, { budget });
    await disableLink(cell, found, { by: "operator", reason: product.row.rejectionReason }, actor);
  }
  const left = open.length < CLOSED_AT_ONCE ? [] : await openLinksOf(asker, product, CLOSED_AT_ONCE + 1);
  return { closed: open.length, left: left.length };
}

/** Already decided so: then a repeat, which closes further links, is no decision about a state that was not seen. */
const isRejectedSo = ({ row }: Product, reason: string | null): boolean => row.moderation === "rejected" && row.rejectionReason === reason;

export const productLinkCalls = [
  defineCall({
    command: "products reject",
    method: "POST",
    path: "/ops/products/{kind}/{id}/reject",
    role: "moderation",
    summary: "Rejects a product, or ends the sale of an approved one; its links stay unless they are closed too",
    params: productPath,
    continues: { left: "links_left", as: null, sums: ["closed_links"] },
    body: z.strictObject({
      reason: toldReason.optional().describe("Why, in words that its partner reads; without a reason, an earlier one is dropped"),
      close_links: z
        .boolean()
        .default(false)
        .describe("Whether its open links are disabled, those of carts that sell it too. `payment-links list --product` lists them"),
      ...seenField,
    }),
    answer: productWith({
      closed_links: z.int(),
      links_left: z
        .int()
        .describe(
          "At least so many are to be closed yet: repeat the same call until it is 0. A link that was just being made appears later; 0 without `close_links`",
        ),
    }),
    example: 'card card_0123… --reason "The name does not say what is sold."',
    async run({ deps, actor }, { params, body: { reason = null, close_links, seen_revision } }) {
      const product = await requireProduct(deps, params);
      if (!isRejectedSo(product, reason)) await requireSeen(deps, product, seen_revision);
      const rejected = await moderateProduct(deps, product, "rejected", actor, { rejectionReason: reason });
      const { closed, left } = close_links ? await closeLinksOf({ deps, actor, partner: null }, rejected) : { closed: 0, left: 0 };
      return { ...viewProduct(rejected), closed_links: closed, links_left: left };
    },
  }),
  defineCall({
    command: "products link",
    method: "POST",
    path: "/ops/products/card/{id}/link",
    role: "moderation",
    summary: "The link of an approved card product at its present price: a new one after the price was changed, once per price",
    answer: z.object({
      payment_link_id: z.string(),
      short_url: z.string(),
      currency: z.string(),
      amount: z.number().describe("What it costs, in major units"),
    }),
    example: "card_0123…",
    async run({ deps, actor }, { params: { id } }) {
      const product = await requireProduct(deps, { kind: "card", id });
      if (product.kind !== "card") throw new Error("a card product was asked for");
      const { row } = product;
      const link = await linkAtPrice(deps, product, await requireLocation(deps, row.partnerId), actor);
      if (link === "not_sold") conflict("Only an approved product has links. `products approve` approves it.");
      if (link === "link_disabled") conflict(LINK_DISABLED);
      return {
        payment_link_id: link.paymentLinkId,
        short_url: `${deps.settings.shortLinkOrigin}/${link.slug}`,
        currency: row.currency,
        amount: toMajorUnits(row.unitAmount, row.currency),
      };
    },
  }),
];
