import * as z from "zod";
import { deactivatePromotionCode, findPromotionCodeRow } from "../../../promotions/deactivate.ts";
import { listPromotionCodes } from "../../../promotions/list-codes.ts";
import { listOf, ownListQuery, viewPage } from "../../calls/lists.ts";
import { codeView, viewCode } from "../../calls/object-views.ts";
import { periodQuery } from "../../calls/paging.ts";
import { notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";
import { listed } from "../list-data.ts";

const ownedCode = codeView.extend({ partner_id: z.string() });

type Row = Parameters<typeof viewCode>[0];

const viewOwned = (row: Row) => ({ ...viewCode(row), partner_id: row.partnerId });

const noCode = (id: string) => notFound(`There is no promotion code ${id}.`);

export const promotionCodeCalls = [
  defineCall({
    command: "promotion-codes list",
    method: "GET",
    path: "/ops/promotion-codes",
    role: "any",
    summary: "Promotion codes, newest first: of a partner, or of all",
    query: ownListQuery.extend({ partner: z.string().optional(), ...periodQuery }),
    answer: listOf(ownedCode),
    example: "--partner acme",
    async run({ deps }, { query }) {
      return viewPage(await listed(deps, query, listPromotionCodes), viewOwned);
    },
  }),
  defineCall({
    command: "promotion-codes show",
    method: "GET",
    path: "/ops/promotion-codes/{id}",
    role: "any",
    summary: "One promotion code",
    answer: ownedCode,
    example: "promo_0123…",
    run: async ({ deps }, { params: { id } }) =>
      viewOwned(((await deps.findAnywhere(({ db }) => findPromotionCodeRow(db, id))) ?? noCode(id)).found),
  }),
  defineCall({
    command: "promotion-codes deactivate",
    method: "POST",
    path: "/ops/promotion-codes/{id}/deactivate",
    role: "moderation",
    summary: "Deactivates a promotion code, at the processor too",
    irreversible: "A deactivated code cannot be used again.",
    answer: ownedCode,
    example: "promo_0123…",
    async run({ deps, actor }, { params: { id } }) {
      const known = (await deps.findAnywhere(({ db }) => findPromotionCodeRow(db, id))) ?? noCode(id);
      const { found: row, cell } = await deps.pullToCurrentCell("promotion_codes", id, known);
      return viewOwned(await deactivatePromotionCode(cell, row, actor));
    },
  }),
];
