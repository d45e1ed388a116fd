import { listPromotionCodes } from "../../../promotions/list-codes.ts";
import { listOf, ownListQuery, ownPage, viewPage } from "../../calls/lists.ts";
import { codeView, viewCode } from "../../calls/object-views.ts";
import { definePartnerCall } from "../define-call.ts";

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
      viewPage(await ownPage(caller, query, (list) => listPromotionCodes(own.data, list)), viewCode),
  }),
];
