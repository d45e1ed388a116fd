import * as z from "zod";
import type { CellCode } from "../../../core/cell-code.ts";
import { cellCodeSchema } from "../../../core/cell-code-schema.ts";
import { isoTime } from "../../../core/clock.ts";
import type { Deps } from "../../../deps.ts";
import { listWaitingLinks } from "../../../links/admin/without-short-link.ts";
import { completeShortLinkManually } from "../../../links/complete-short-link.ts";
import { cutPage, keyIn, pageOf, pageQuery } from "../../calls/paging.ts";
import { conflict } from "../../calls/refusal.ts";
import { requireLink } from "../../objects/links.ts";
import { defineCall } from "../define-call.ts";

const waitingKey = z.tuple([cellCodeSchema, z.number(), z.string()]);

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

export const shortLinkCalls = [
  defineCall({
    command: "short-links waiting",
    path: "/ops/short-links",
    role: "any",
    summary: "Payment links that lack their short link, longest waiting first",
    query: z.object({ waiting: z.literal("true", "must be true").default("true").describe("Those that wait"), ...pageQuery }),
    answer: pageOf(z.object({ payment_link_id: z.string(), partner_id: z.string(), operation: z.string(), waiting_since: z.string() })),
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
    path: "/ops/payment-links/{link}/short-link",
    role: "support",
    summary: "Creates the missing short link of a payment link; the partner's repeat then succeeds",
    answer: z.object({ payment_link_id: z.string(), short_url: z.string() }),
    example: "plink_0123…",
    async run({ deps, actor }, { params }) {
      const known = await requireLink({ deps, actor, partner: null }, params.link);
      const { found: link, cell } = await deps.pullToCurrentCell("payment_links", params.link, known);
      const slug = await completeShortLinkManually(cell, link.id, actor);
      if (slug === null) conflict("This link does not wait for a short link. `short-links waiting` shows those that do.");
      return { payment_link_id: link.id, short_url: `${deps.settings.shortLinkOrigin}/${slug}` };
    },
  }),
];
