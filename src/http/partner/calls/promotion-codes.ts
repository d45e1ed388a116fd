import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { parseJson } from "../../../core/json.ts";
import { listPromotionCodes } from "../../../promotions/list-codes.ts";
import { definePartnerCall } from "../define-call.ts";
import { listOf, ownList, ownListQuery, viewPage } from "../lists.ts";

const productIds = z.array(z.string());
const codeView = z.object({
  promotion_code_id: z.string(),
  code: z.string().describe("What customers enter"),
  product_ids: productIds,
  percent_off: z.int(),
  duration: z.enum(["once", "forever", "repeating"]),
  duration_in_months: z.int().nullable(),
  max_redemptions: z.int().nullable().describe("Null: no limit"),
  expires_at: z.string().nullable().describe("Null: never"),
  created_at: z.string(),
  deactivated_at: z.string().nullable().describe("Since when customers cannot enter it"),
});

export const promotionCodeCalls = [
  definePartnerCall({
    command: "promotion-codes list",
    method: "GET",
    path: "/partner/promotion-codes",
    permission: "products_view",
    summary: "Your promotion codes, newest first",
    query: ownListQuery,
    answer: listOf(codeView),
    example: "--environment test",
    run: async ({ own, caller }, { query }) =>
      viewPage(await listPromotionCodes(own.data, ownList(caller, query)), (row) => ({
        promotion_code_id: row.id,
        code: row.code,
        product_ids: parseJson(productIds, row.productIds),
        percent_off: row.percentOff,
        duration: row.duration,
        duration_in_months: row.durationInMonths,
        max_redemptions: row.maxRedemptions,
        expires_at: isoTimeOrNull(row.expiresAt),
        created_at: isoTime(row.createdAt),
        deactivated_at: isoTimeOrNull(row.deactivatedAt),
      })),
  }),
];
