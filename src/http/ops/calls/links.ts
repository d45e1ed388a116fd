import * as z from "zod";
import { type CellCode, cellCodeSchema } from "../../../core/cell-code.ts";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { toMajorUnits } from "../../../core/money.ts";
import type { CellDeps, Deps } from "../../../deps.ts";
import { paidThrough } from "../../../ledger/paid-through.ts";
import { disableLink, enableLink, findLink, type LinkInCell, type ListedLink } from "../../../links/admin/links.ts";
import { listWaitingLinks } from "../../../links/admin/waiting.ts";
import { completeShortLinkManually } from "../../../links/complete-short-link.ts";
import { listLinks } from "../../../links/list-links.ts";
import { productsOfLinks } from "../../../links/store.ts";
import { listOf, ownListQuery, viewPage } from "../../calls/lists.ts";
import { linkView, sumView, viewLink as viewListedLink } from "../../calls/object-views.ts";
import { cutPage, keyIn, pageOf, pageQuery, periodQuery } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";
import { listed } from "../list-data.ts";
import { requireLocation } from "./partners.ts";

const waitingKey = z.tuple([cellCodeSchema, z.number(), z.string()]);

const linkAnswer = z.object({
  payment_link_id: z.string(),
  partner_id: z.string(),
  environment: environmentSchema,
  source: z.string(),
  currency: z.string(),
  mode: z.string(),
  short_url: z.string().nullable(),
  created_at: z.string(),
  disabled_at: z.string().nullable(),
  disabled_by: z.enum(["operator", "partner"]).nullable().describe("A partner enables only what it disabled itself"),
});

function viewLink({ settings }: Pick<Deps, "settings">, link: ListedLink): z.input<typeof linkAnswer> {
  return {
    payment_link_id: link.id,
    partner_id: link.partnerId,
    environment: link.environment,
    source: link.source,
    currency: link.currency,
    mode: link.mode,
    short_url: link.slug === null ? null : `${settings.shortLinkOrigin}/${link.slug}`,
    created_at: isoTime(link.createdAt),
    disabled_at: isoTimeOrNull(link.disabledAt),
    disabled_by: link.disabledAt === null ? null : (link.disabledBy ?? "operator"),
  };
}

/** The link, in the cell where it may be changed. */
async function requireLink(deps: Deps, id: string): Promise<LinkInCell<CellDeps>> {
  const known = (await findLink(deps, id)) ?? notFound(`There is no payment link ${id}.`);
  return deps.pullToCurrentCell("payment_links", id, known);
}

/** The links of one cell, after those of the previous cell. */
async function waitingPage(deps: Deps, limit: number, cursor: string | undefined) {
  const from = keyIn(cursor, waitingKey);
  const found: (Awaited<ReturnType<typeof listWaitingLinks>>[number] & { readonly cell: CellCode })[] = [];
  const cells = deps.everyCell();
  const first = from === undefined ? 0 : cells.findIndex(({ databaseName }) => databaseName === from[0]);
  for (const { databaseName: cell, db } of cells.slice(Math.max(first, 0))) {
    if (found.length > limit) break;
    const after = from?.[0] === cell ? { begunAt: from[1], id: from[2] } : { begunAt: 0, id: "" };
    const rows = await deps.askDatabase(cell, () => listWaitingLinks(db, after, limit + 1 - found.length));
    found.push(...(rows ?? []).map((row) => ({ ...row, cell })));
  }
  return { found, keyOf: (row: (typeof found)[number]) => [row.cell, row.since, row.recordId] };
}

export const linkCalls = [
  defineCall({
    command: "payment-links list",
    method: "GET",
    path: "/ops/payment-links",
    role: "any",
    summary: "Payment links, newest first: of a partner, or of all",
    query: ownListQuery.extend({
      partner: z.string().optional(),
      state: z.enum(["open", "disabled"]).optional().describe("Only open or only disabled links"),
      product: z.string().min(1).optional().describe("Only links that sell this product: `prod_…`"),
      ...periodQuery,
    }),
    answer: listOf(linkView.extend({ partner_id: z.string() })),
    example: "--partner acme --state open",
    async run({ deps }, { query: { state, product, ...page } }) {
      const filter = { isDisabled: state === undefined ? undefined : state === "disabled", productId: product };
      return viewPage(await listed(deps, page, (data, list) => listLinks(data, list, filter)), (row) => ({
        ...viewListedLink(deps, row),
        partner_id: row.partnerId,
        environment: row.environment,
      }));
    },
  }),
  defineCall({
    command: "payment-links show",
    method: "GET",
    path: "/ops/payment-links/{id}",
    role: "any",
    summary: "A payment link, its products, and what was paid through it",
    answer: linkAnswer.extend({ product_ids: z.array(z.string()), paid: z.array(sumView) }),
    example: "plink_0123…",
    async run({ deps }, { params }) {
      const { found: link } = (await findLink(deps, params.id)) ?? notFound(`There is no payment link ${params.id}.`);
      const { data } = deps.ofPartner(await requireLocation(deps, link.partnerId));
      const [products, { sums }] = await Promise.all([productsOfLinks(data, [link.id]), paidThrough(data, link.partnerId, link.id)]);
      return {
        ...viewLink(deps, link),
        product_ids: [...(products.get(link.id) ?? [])],
        paid: sums.map(({ amount, ...sum }) => ({ ...sum, amount: toMajorUnits(amount, sum.currency) })),
      };
    },
  }),
  defineCall({
    command: "short-links waiting",
    method: "GET",
    path: "/ops/short-links",
    role: "any",
    summary: "Payment links that lack their short link, longest waiting first",
    query: z.object({ waiting: z.literal("true", "must be true").default("true").describe("Those that wait"), ...pageQuery }),
    answer: pageOf(z.object({ payment_link_id: z.string(), partner_id: z.string(), operation: z.string(), waiting_since: z.string() })),
    example: "",
    async run({ deps }, { query: { limit, cursor } }) {
      const { found, keyOf } = await waitingPage(deps, limit, cursor);
      const view = ({ paymentLinkId, partnerId, operation, since }: (typeof found)[number]) => ({
        payment_link_id: paymentLinkId,
        partner_id: partnerId,
        operation,
        waiting_since: isoTime(since),
      });
      return cutPage(found, limit, view, keyOf);
    },
  }),
  defineCall({
    command: "short-links complete",
    method: "POST",
    path: "/ops/payment-links/{id}/short-link",
    role: "support",
    summary: "Creates the missing short link of a payment link; the partner's repeat then succeeds",
    answer: z.object({ payment_link_id: z.string(), short_url: z.string() }),
    example: "plink_0123…",
    async run({ deps, actor }, { params }) {
      const { found: link, cell } = await requireLink(deps, params.id);
      const slug = await completeShortLinkManually(cell, link.id, actor);
      if (slug === null) conflict("This link does not wait for a short link. `short-links waiting` shows those that do.");
      return { payment_link_id: link.id, short_url: `${deps.settings.shortLinkOrigin}/${slug}` };
    },
  }),
  ...(["disable", "enable"] as const).map((verb) =>
    defineCall({
      command: `payment-links ${verb}`,
      method: "POST",
      path: `/ops/payment-links/{id}/${verb}`,
      role: "moderation",
      summary:
        verb === "disable"
          ? "Disables a link, at the processor too; its short link stops working within two minutes"
          : "Enables a disabled link",
      answer: linkAnswer,
      example: "plink_0123…",
      async run({ deps, actor }, { params }) {
        const { found: link, cell } = await requireLink(deps, params.id);
        const changed = await (verb === "enable" ? enableLink : disableLink)(cell, link, "operator", actor);
        return viewLink(deps, changed ?? conflict("This link has no short link yet. `short-links complete` creates it; then disable it."));
      },
    }),
  ),
];
