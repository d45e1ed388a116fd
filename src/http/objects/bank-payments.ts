import * as z from "zod";
import {
  dismissNotification,
  getBankPayment,
  listBankProblems,
  pageOfBankProblems,
  refreshOrderManually,
} from "../../bank-payments/admin.ts";
import { enterRefund, type NotEntered } from "../../bank-payments/enter-refund.ts";
import { bankPaymentSelections } from "../../bank-payments/list-payments.ts";
import { isPayable, payableUntil } from "../../bank-payments/payable.ts";
import { receiptsOf } from "../../bank-payments/receipts.ts";
import { bankPaymentsOf } from "../../bank-payments/walk.ts";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { jsonObjectSchema, parseJson } from "../../core/json.ts";
import { moneyText, toMajorUnits } from "../../core/money.ts";
import type { Deps } from "../../deps.ts";
import type { RowOf } from "../../partners/list-of-all.ts";
import { reasonField } from "../calls/call.ts";
import { searchText } from "../calls/lists.ts";
import { enteredField, exactMinorOf } from "../calls/money-fields.ts";
import { pageKeyIn, pageOf, pageQuery, sortedPage } from "../calls/paging.ts";
import { conflict, notFound } from "../calls/refusal.ts";
import { defineCall } from "../ops/define-call.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { wire } from "../wire.ts";
import { holderField } from "./holder.ts";
import { defineList } from "./list.ts";
import { ownerField } from "./rows.ts";

type Payment = NonNullable<NonNullable<Awaited<ReturnType<typeof getBankPayment>>>["payment"]>;
type Notification = NonNullable<Awaited<ReturnType<typeof getBankPayment>>>["notifications"][number];

const text = z.string().nullable();

/** A ruble payment, without its URLs: anyone with a URL can pay. */
const paymentView = z.object({
  payment_id: z.int().describe("As the creation answered it"),
  environment: environmentSchema,
  order_id: z.string(),
  external_order_id: text.describe("The partner's order number"),
  status: z.string().describe("The bank's status, such as NEW, CONFIRMED or CANCELED"),
  amount_rub: z.number(),
  amount_kopecks: z.int(),
  created_at: z.string(),
  paid_at: text,
  payable_until: text.describe("Until when a customer can pay it; null once it is paid, refused or over"),
  holder: holderField,
  receipts: z
    .array(
      z.object({
        type: z.enum(["payment", "refund"]),
        fn_number: z.string(),
        fiscal_document_number: z.string(),
        fiscal_document_attribute: z.string(),
        registered_at: text,
        amount_kopecks: z.int().nullable(),
        amount_rub: z.number().nullable(),
        url: text,
      }),
    )
    .describe("Its fiscal receipts, oldest first; empty before the first is registered"),
});

/** A ruble payment with its side at the bank, for operators. */
const paymentDetail = paymentView.extend({ ...ownerField, bank_payment_id: z.string(), terminal: z.string(), updated_at: z.string() });

type Listed = RowOf<typeof bankPaymentSelections>;
const fieldsOf = wire(paymentView.extend(ownerField));

function viewPayment(row: Omit<Listed, "id" | "value" | "recordId"> & { readonly orderId: string }, now: number) {
  return {
    ...fieldsOf(row),
    amount_rub: toMajorUnits(row.amountKopecks, "RUB"),
    payable_until: isPayable(row, now) ? isoTime(payableUntil(row)) : null,
    receipts: receiptsOf(row.receipts).map((receipt) => ({
      type: receipt.kind,
      fn_number: receipt.fn,
      fiscal_document_number: receipt.document,
      fiscal_document_attribute: receipt.sign,
      registered_at: receipt.registeredAt,
      amount_kopecks: receipt.amount,
      amount_rub: receipt.amount === null ? null : toMajorUnits(receipt.amount, "RUB"),
      url: receipt.url,
    })),
  };
}

const viewDetail = (payment: Payment, { clock }: Pick<Deps, "clock">): z.input<typeof paymentDetail> => ({
  ...viewPayment({ ...payment, paymentId: payment.id }, clock.now()),
  bank_payment_id: payment.bankPaymentId,
  terminal: payment.terminal,
  updated_at: isoTime(payment.updatedAt),
});

const notificationView = z.object({
  id: z.string(),
  received_at: z.string(),
  environment: environmentSchema,
  terminal: z.string(),
  order_id: text,
  status: z.string(),
  problem: text,
  message: z.record(z.string(), z.unknown()),
});

const fieldsOfNotification = wire(notificationView);

const viewNotification = (notification: Notification): z.input<typeof notificationView> => ({
  ...fieldsOfNotification(notification),
  message: parseJson(jsonObjectSchema, notification.payload),
});

function refuseRefund(refused: NotEntered): never {
  switch (refused.why) {
    case "unknown_order":
      return notFound("There is no such order.");
    case "not_partly_refunded":
      return conflict(`The payment is ${refused.status}, so no part of it was given back. \`bank-orders refresh\` asks the bank.`);
    case "too_much":
      return conflict(
        `Only ${moneyText(refused.left, "RUB")} of the payment are left. Where all was given back, \`bank-orders refresh\` enters the rest.`,
      );
    case "entered_before":
      return conflict("A refund of this payment with this reference was entered before. `bank-orders show` shows it.");
  }
}

/** What operators alone do: the bank's notifications, and what they say of an order. */
const operatorsCalls = [
  defineCall({
    command: "bank show",
    path: "/ops/bank",
    role: "any",
    summary: "Bank notifications that match none of our payments",
    answer: z.object({ not_applied: z.object({ count: z.int(), newest: z.array(notificationView) }) }),
    async run({ deps }) {
      const { count, newest } = await listBankProblems(deps);
      return { not_applied: { count, newest: newest.map(viewNotification) } };
    },
  }),
  defineCall({
    command: "bank-notifications waiting",
    path: "/ops/bank/notifications",
    role: "any",
    summary: "Bank notifications that could not be applied, newest first",
    query: z.object(pageQuery),
    answer: pageOf(notificationView),
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
    path: "/ops/bank/orders/{order}",
    role: "any",
    summary: "A ruble payment, with all its bank notifications",
    answer: z.object({ payment: paymentDetail.nullable(), notifications: z.array(notificationView) }),
    example: "01…",
    async run({ deps }, { params }) {
      const shown = await getBankPayment(deps, params.order);
      const { payment, notifications } = shown ?? notFound("There is no such order, and no bank notification about it.");
      return { payment: payment && viewDetail(payment, deps), notifications: notifications.map(viewNotification) };
    },
  }),
  defineCall({
    command: "bank-orders refresh",
    method: "POST",
    path: "/ops/bank/orders/{order}/refresh",
    role: "support",
    summary: "Refreshes an order from the bank",
    answer: z.object({ success: z.boolean(), bank_status: text, problem: text, payment: paymentDetail.nullable() }),
    example: "01…",
    async run({ deps, actor }, { params: { order } }) {
      const refreshed = (await refreshOrderManually(deps, order, actor)) ?? notFound("There is no such order.");
      const payment = (await getBankPayment(deps, order))?.payment ?? null;
      const { status, problem } = refreshed;
      return { success: problem === null, bank_status: status, problem, payment: payment && viewDetail(payment, deps) };
    },
  }),
  defineCall({
    command: "bank-orders enter-refund",
    method: "POST",
    path: "/ops/bank/orders/{order}/refunds",
    role: "admin",
    summary: "Enters a part that the bank gave back, whose report never came or looked like another part's",
    body: z.strictObject({
      amount: enteredField.positive("must be positive").describe("In rubles"),
      reference: z
        .string()
        .regex(/^[\w.-]{1,40}$/, "must be 1 to 40 letters, digits, points or hyphens")
        .describe("The number of its receipt, or of the operation at the bank"),
    }),
    positional: ["amount", "reference"],
    status: 201,
    answer: paymentDetail,
    irreversible: "It counts in the books, and its partner gets an event.",
    example: "01… 500 1234567890",
    async run({ deps, actor }, { params: { order }, body: { amount, reference } }) {
      const entered = await enterRefund(deps, order, { amount: exactMinorOf("amount", amount, "RUB"), reference }, actor);
      if ("why" in entered) return refuseRefund(entered);
      return viewDetail((await getBankPayment(deps, order))?.payment ?? entered, deps);
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

/** The query fields by which ruble payments are searched. */
const paymentSearch = {
  status: searchText.describe("Only with this status of the bank, such as CONFIRMED"),
  order: searchText.describe("Only this order: your number, or `order_id`"),
};

export const bankPaymentList = defineList({
  of: bankPaymentSelections,
  search: paymentSearch,
  usual: "-created_at",
  view: paymentView,
  owned: paymentView.extend(ownerField),
  filterOf: (_asker, { status, order }) => ({ status, order }),
  viewRows: ({ deps: { clock } }, rows) => rows.map((row) => viewPayment({ ...row, orderId: row.id }, clock.now())),
  sum: {
    payments: z.int(),
    amount: z.number().describe("What was asked for, paid or not"),
    paid: z.number().describe("What was paid of it, before refunds"),
  },
  viewSum: ({ count, sums: { amount, paid } }, major) => ({
    payments: count,
    amount: major(amount),
    paid: major(paid),
  }),
  partner: {
    command: "bank-payments list",
    path: "/partner/bank-payments",
    permission: "bank_payment",
    summary: "Your ruble payments with their status, newest first",
    forAgents: {
      tool: "list-partner-ruble-payments",
      hint: "Use it for ruble payments, also unpaid ones. Paid ones are orders, too: list-partner-orders.",
    },
    example: "--environment test --status CONFIRMED",
  },
  operator: {
    command: "bank-orders list",
    path: "/ops/bank/orders",
    summary: "Ruble payments, newest first: of a partner, or of all",
    example: "--partner acme --status CONFIRMED",
  },
});

export const bankPaymentCalls = [
  bankPaymentList.calls,
  definePartnerCall({
    command: "bank-payments pay-link",
    path: "/partner/bank-payments/{order}/pay-link",
    permission: "bank_payment",
    summary: "Where a customer pays a ruble payment, as its creation answered it; anyone with an address can pay",
    answer: z.object({
      order_id: z.string(),
      payment_url: z.string().describe("The bank's page, for cards"),
      sbp_url: text.describe("Opens the customer's banking app; null if there is none"),
      payable_until: z.string(),
    }),
    example: "01…",
    async run({ own, caller: { partnerId } }, { params: { order } }) {
      const rows = (await own.data.each(({ db }) => bankPaymentsOf(db, partnerId, [order]))).flat();
      const payment = rows[0] ?? notFound("You have no such ruble payment. `GET /partner/bank-payments` lists them.");
      const { orderId, paymentUrl, sbpUrl, status } = payment;
      if (!isPayable(payment, own.clock.now())) return conflict(`It can no longer be paid: it is ${status}, or its time is over.`);
      if (paymentUrl === null) return conflict("The bank has given no address yet: repeat the creation with its client_token.");
      return { order_id: orderId, payment_url: paymentUrl, sbp_url: sbpUrl, payable_until: isoTime(payableUntil(payment)) };
    },
  }),
  ...operatorsCalls,
];
