import * as z from "zod";
import { type CellCode, cellCodeSchema } from "../../../core/cell-code.ts";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import type { CellDeps, Deps } from "../../../deps.ts";
import { disableLink, enableLink, findLink, type LinkInCell, type ListedLink } from "../../../links/admin/links.ts";
import { listWaitingLinks } from "../../../links/admin/waiting.ts";
import { completeShortLinkManually } from "../../../links/complete-short-link.ts";
import { deactivatePromotionCode, findPromotionCodeRow } from "../../../promotions/deactivate.ts";
import { cutPage, keyIn, pageOf, pageQuery } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";

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
  defineCall({
    command: "promotion-codes deactivate",
    method: "POST",
    path: "/ops/promotion-codes/{id}/deactivate",
    role: "moderation",
    summary: "Deactivates a promotion code, at the processor too",
    irreversible: "A deactivated code cannot be used again.",
    answer: z.object({
      promotion_code_id: z.string(),
      partner_id: z.string(),
      code: z.string(),
      environment: environmentSchema,
      deactivated_at: z.string().nullable(),
    }),
    example: "promo_0123…",
    async run({ deps, actor }, { params }) {
      const id = params.id;
      const known = (await deps.findAnywhere(({ db }) => findPromotionCodeRow(db, id))) ?? notFound(`There is no promotion code ${id}.`);
      const { found: row, cell } = await deps.pullToCurrentCell("promotion_codes", id, known);
      const { partnerId, code, environment, deactivatedAt } = await deactivatePromotionCode(cell, row, actor);
      return {
        promotion_code_id: id,
        partner_id: partnerId,
        code,
        environment,
        deactivated_at: isoTimeOrNull(deactivatedAt),
      };
    },
  }),
];
