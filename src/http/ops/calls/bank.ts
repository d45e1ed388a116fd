import * as z from "zod";
import {
  dismissNotification,
  getBankPayment,
  listBankProblems,
  pageOfBankProblems,
  refreshOrderManually,
} from "../../../bank-payments/admin.ts";
import { listBankPayments } from "../../../bank-payments/list-payments.ts";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { jsonObjectSchema, parseJson } from "../../../core/json.ts";
import { toMajorUnits } from "../../../core/money.ts";
import { reasonField } from "../../calls/call.ts";
import { listOf, ownListQuery, viewPage } from "../../calls/lists.ts";
import { bankPaymentView, viewBankPayment } from "../../calls/object-views.ts";
import { pageKeyIn, pageOf, pageQuery, periodQuery, sortedPage } from "../../calls/paging.ts";
import { notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";
import { listed } from "../list-data.ts";

type Shown = NonNullable<Awaited<ReturnType<typeof getBankPayment>>>;
type Payment = NonNullable<Shown["payment"]>;
type Notification = Shown["notifications"][number];

const text = z.string().nullable();

const notificationAnswer = z.object({
  id: z.string(),
  received_at: z.string(),
  environment: environmentSchema,
  terminal: z.string(),
  order_id: text,
  status: z.string(),
  problem: text,
  message: z.record(z.string(), z.unknown()),
});

const paymentAnswer = z.object({
  payment_id: z.int(),
  order_id: z.string(),
  bank_payment_id: z.string(),
  partner_id: z.string(),
  environment: environmentSchema,
  terminal: z.string(),
  external_order_id: text,
  status: z.string(),
  amount_rub: z.number(),
  amount_kopecks: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  paid_at: text,
});

export const bankCalls = [
  defineCall({
    command: "bank-orders list",
    method: "GET",
    path: "/ops/bank/orders",
    role: "any",
    summary: "Ruble payments, newest first: of a partner, or of all",
    query: ownListQuery.extend({
      partner: z.string().optional(),
      status: z.string().min(1).optional().describe("Only payments with this status of the bank, such as CONFIRMED"),
      order: z.string().min(1).optional().describe("Only this order: the partner's number, or `order_id`"),
      ...periodQuery,
    }),
    answer: listOf(bankPaymentView.extend({ partner_id: z.string() })),
    example: "--partner acme --status CONFIRMED",
    async run({ deps }, { query: { status, order, ...page } }) {
      const found = await listed(deps, page, (data, list) => listBankPayments(data, list, { status, order }));
      return viewPage(found, (row) => ({
        ...viewBankPayment(row),
        partner_id: row.partnerId,
        environment: row.environment,
      }));
    },
  }),
  defineCall({
    command: "bank show",
    method: "GET",
    path: "/ops/bank",
    role: "any",
    summary: "Bank notifications that match none of our payments",
    answer: z.object({ not_applied: z.object({ count: z.int(), newest: z.array(notificationAnswer) }) }),
    example: "",
    async run({ deps }) {
      const { count, newest } = await listBankProblems(deps);
      return { not_applied: { count, newest: newest.map(viewNotification) } };
    },
  }),
  defineCall({
    command: "bank-notifications waiting",
    method: "GET",
    path: "/ops/bank/notifications",
    role: "any",
    summary: "Bank notifications that could not be applied, newest first",
    query: z.object(pageQuery),
    answer: pageOf(notificationAnswer),
    example: "",
    async run({ deps }, { query: { limit, cursor } }) {
      const found = await pageOfBankProblems(deps, pageKeyIn(cursor), limit + 1);
      return sortedPage(
        found.map((notification) => ({ ...notification, key: [notification.receivedAt, notification.id] })),
        limit,
        viewNotification,
      );
    },
  }),
  defineCall({
    command: "bank-orders show",
    method: "GET",
    path: "/ops/bank/orders/{order}",
    role: "any",
    summary: "A ruble payment, with all its bank notifications",
    answer: z.object({ payment: paymentAnswer.nullable(), notifications: z.array(notificationAnswer) }),
    example: "01…",
    async run({ deps }, { params }) {
      const shown = await getBankPayment(deps, params.order);
      const { payment, notifications } = shown ?? notFound("There is no such order, and no bank notification about it.");
      return { payment: payment && viewPayment(payment), notifications: notifications.map(viewNotification) };
    },
  }),
  defineCall({
    command: "bank-orders refresh",
    method: "POST",
    path: "/ops/bank/orders/{order}/refresh",
    role: "support",
    summary: "Refreshes an order from the bank",
    answer: z.object({ success: z.boolean(), bank_status: text, problem: text, payment: paymentAnswer.nullable() }),
    example: "01…",
    async run({ deps, actor }, { params }) {
      const order = params.order;
      const refreshed = (await refreshOrderManually(deps, order, actor)) ?? notFound("There is no such order.");
      const shown = await getBankPayment(deps, order);
      const payment = shown?.payment ? viewPayment(shown.payment) : null;
      return { success: refreshed.problem === null, bank_status: refreshed.status, problem: refreshed.problem, payment };
    },
  }),
  defineCall({
    command: "bank-notifications dismiss",
    method: "POST",
    path: "/ops/bank/notifications/{id}/dismiss",
    role: "support",
    summary: "Closes a bank notification that needs no further work",
    body: z.strictObject({ reason: reasonField }),
    positional: ["reason"],
    answer: z.object({ success: z.boolean(), notification: z.string() }),
    example: '0123… "The order is of our old system"',
    async run({ deps, actor }, { params: { id }, body }) {
      if (!(await dismissNotification(deps, { id, reason: body.reason }, actor))) notFound("There is no open notification with this id.");
      return { success: true, notification: id };
    },
  }),
];

/** Omits the payment's URLs: anyone with a URL can pay, and operators do not need it. */
function viewPayment(payment: Payment) {
  return {
    payment_id: payment.id,
    order_id: payment.orderId,
    bank_payment_id: payment.bankPaymentId,
    partner_id: payment.partnerId,
    environment: payment.environment,
    terminal: payment.terminal,
    external_order_id: payment.externalOrderId,
    status: payment.status,
    amount_rub: toMajorUnits(payment.amountKopecks, "RUB"),
    amount_kopecks: payment.amountKopecks,
    created_at: isoTime(payment.createdAt),
    updated_at: isoTime(payment.updatedAt),
    paid_at: isoTimeOrNull(payment.paidAt),
  };
}

function viewNotification(notification: Notification) {
  return {
    id: notification.id,
    received_at: isoTime(notification.receivedAt),
    environment: notification.environment,
    terminal: notification.terminal,
    order_id: notification.orderId,
    status: notification.status,
    problem: notification.problem,
    message: parseJson(jsonObjectSchema, notification.payload),
  };
}
