import * as z from "zod";
import { environmentSchema } from "../../../core/environment.ts";
import { limits } from "../../../core/limits.ts";
import { toMajorUnits } from "../../../core/money.ts";
import { linksOfReference, paidThrough } from "../../../ledger/paid-through.ts";
import { disableLink, enableLink, findLink, type ListedLink } from "../../../links/admin/links.ts";
import { listLinks } from "../../../links/list-links.ts";
import { productsOfLinks } from "../../../links/store.ts";
import { listOf, ownListQuery, ownPage, viewPage } from "../../calls/lists.ts";
import { linkView, sumView, viewLink } from "../../calls/object-views.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { definePartnerCall, type PartnerContext } from "../define-call.ts";

const linkAnswer = linkView.extend({
  environment: environmentSchema,
  product_ids: z.array(z.string()),
  disabled_by: z.enum(["partner", "support"]).nullable().describe("You can enable only what you disabled"),
  paid: z.array(sumView).describe("What came through it, with refunds and disputes"),
  is_complete: z
    .boolean()
    .describe(`False if more than ${limits.sums.movements.toLocaleString("en")} movements came through it: \`paid\` has the newest`),
});

/** @throws CallRefusal 404 for another partner's link, as for an unknown one. */
async function requireLink({ deps, caller }: PartnerContext, id: string) {
  const known = await findLink(deps, id);
  return known?.found.partnerId === caller.partnerId
    ? known
    : notFound("You have no such payment link. `GET /partner/links` lists your links.");
}

async function answerLink({ own, caller }: PartnerContext, link: ListedLink): Promise<z.input<typeof linkAnswer>> {
  const [products, { sums, isComplete }] = await Promise.all([
    productsOfLinks(own.data, [link.id]),
    paidThrough(own.data, caller.partnerId, link.id),
  ]);
  const by = link.disabledBy === "partner" ? ("partner" as const) : ("support" as const);
  return {
    ...viewLink(own, link),
    environment: link.environment,
    product_ids: [...(products.get(link.id) ?? [])],
    disabled_by: link.disabledAt === null ? null : by,
    paid: sums.map(({ amount, ...sum }) => ({ ...sum, amount: toMajorUnits(amount, sum.currency) })),
    is_complete: isComplete,
  };
}

export const linkCalls = [
  definePartnerCall({
    command: "links list",
    method: "GET",
    path: "/partner/links",
    permission: "products_view",
    summary: "Your payment links, of carts too, newest first",
    query: ownListQuery.extend({
      state: z.enum(["open", "disabled"]).optional().describe("Only open or only disabled links"),
      product: z.string().min(1).optional().describe("Only links that sell this product: `prod_…`"),
      reference: z.string().min(1).optional().describe("Only links through which this order reference was paid"),
    }),
    answer: listOf(linkView),
    example: "--environment test --state open",
    async run({ own, caller }, { query: { state, product, reference, ...page } }) {
      const ids = reference === undefined ? undefined : await linksOfReference(own.data, caller.partnerId, reference);
      const filter = { isDisabled: state === undefined ? undefined : state === "disabled", productId: product, ids };
      return viewPage(await ownPage(caller, page, (list) => listLinks(own.data, list, filter)), (row) => viewLink(own, row));
    },
  }),
  definePartnerCall({
    command: "links show",
    method: "GET",
    path: "/partner/links/{link}",
    permission: "products_view",
    summary: "A payment link, and what was paid through it",
    answer: linkAnswer,
    example: "plink_0123…",
    run: async (context, { params }) => answerLink(context, (await requireLink(context, params.link)).found),
  }),
  definePartnerCall({
    command: "links disable",
    method: "POST",
    path: "/partner/links/{link}/disable",
    permission: "product_create",
    summary: "Disables a payment link: it takes no payments, and its short link stops working within two minutes",
    answer: linkAnswer,
    example: "plink_0123…",
    async run(context, { params }) {
      const { found, cell } = await context.deps.pullToCurrentCell("payment_links", params.link, await requireLink(context, params.link));
      const changed = await disableLink(cell, found, "partner", context.actor);
      return answerLink(context, changed ?? conflict("This link has no short link yet, so no customer has it. Repeat its creation first."));
    },
  }),
  definePartnerCall({
    command: "links enable",
    method: "POST",
    path: "/partner/links/{link}/enable",
    permission: "product_create",
    summary: "Enables a payment link that you disabled",
    answer: linkAnswer,
    example: "plink_0123…",
    async run(context, { params }) {
      const { found, cell } = await context.deps.pullToCurrentCell("payment_links", params.link, await requireLink(context, params.link));
      const changed = await enableLink(cell, found, "partner", context.actor);
      return answerLink(context, changed ?? conflict("Support disabled this link: only support can enable it. Ask why."));
    },
  }),
];
