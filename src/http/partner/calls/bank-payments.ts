import * as z from "zod";
import { listBankPayments } from "../../../bank-payments/list-payments.ts";
import { listOf, ownListQuery, ownPage, viewPage } from "../../calls/lists.ts";
import { bankPaymentView, viewBankPayment } from "../../calls/object-views.ts";
import { definePartnerCall } from "../define-call.ts";

export const bankPaymentCalls = [
  definePartnerCall({
    command: "bank-payments list",
    method: "GET",
    path: "/partner/bank-payments",
    permission: "bank_payment",
    summary: "Your ruble payments with their status, newest first",
    query: ownListQuery.extend({
      status: z.string().min(1).optional().describe("Only payments with this status of the bank, such as CONFIRMED"),
      order: z.string().min(1).optional().describe("Only this order: your number, or `order_id`"),
    }),
    answer: listOf(bankPaymentView),
    example: "--environment test --status CONFIRMED",
    run: async ({ own, caller }, { query: { status, order, ...page } }) =>
      viewPage(await ownPage(caller, page, (list) => listBankPayments(own.data, list, { status, order })), viewBankPayment),
  }),
];
