import * as z from "zod";
import { listBankPayments } from "../../../bank-payments/list-payments.ts";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { toMajorUnits } from "../../../core/money.ts";
import { definePartnerCall } from "../define-call.ts";
import { listOf, ownList, ownListQuery, viewPage } from "../lists.ts";

const paymentView = z.object({
  payment_id: z.int().describe("As the creation answered it"),
  order_id: z.string(),
  external_order_id: z.string().nullable().describe("Your order number"),
  status: z.string().describe("The bank's status, such as NEW, CONFIRMED or CANCELED"),
  amount_rub: z.number(),
  amount_kopecks: z.int(),
  created_at: z.string(),
  paid_at: z.string().nullable(),
});

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
    answer: listOf(paymentView),
    example: "--environment test --status CONFIRMED",
    run: async ({ own, caller }, { query: { status, order, ...page } }) =>
      viewPage(await listBankPayments(own.data, ownList(caller, page), { status, order }), (row) => ({
        payment_id: row.paymentId,
        order_id: row.id,
        external_order_id: row.externalOrderId,
        status: row.status,
        amount_rub: toMajorUnits(row.amountKopecks, "RUB"),
        amount_kopecks: row.amountKopecks,
        created_at: isoTime(row.createdAt),
        paid_at: isoTimeOrNull(row.paidAt),
      })),
  }),
];
