import type { EventName } from "../../notifications/events.ts";
import { paymentExample as payment } from "../v2/transaction.ts";

/** An example of each event's own part, as the documentation shows them (docs/events.md). */

const refund = {
  ...payment,
  id: "processor:txn_5RsNm4",
  amount: -77,
  net_amount: -77,
  fee: 0,
  status: "refunded",
  transaction_date: "2026-11-24T10:02:11.000Z",
  type: "processor_refund",
};
const dispute = {
  ...payment,
  id: "processor:txn_7TuOp6",
  amount: -77,
  net_amount: -92,
  fee: 15,
  status: "disputed",
  transaction_date: "2026-12-02T14:40:00.000Z",
  type: "processor_dispute_freeze",
};
const won = {
  ...dispute,
  id: "processor:txn_9VwQr8",
  amount: 77,
  net_amount: 92,
  fee: -15,
  status: "dispute_won",
  transaction_date: "2026-12-20T09:15:00.000Z",
  type: "processor_dispute_return",
};
const subscription = {
  id: "sub_1QaZx7",
  status: "active",
  cancel_at_period_end: false,
  cancel_at: null,
  current_period_end: "2026-12-20T08:29:58.000Z",
};

export const eventExamples: Readonly<Record<EventName, Readonly<Record<string, unknown>>>> = {
  "Processor.payment.succeeded": { transaction: payment },
  "Processor.payment.pending": { transaction: { ...payment, status: "pending" } },
  "Processor.payment.failed": { transaction: { ...payment, status: "failed" } },
  "Processor.refund.succeeded": { transaction: refund },
  "Processor.refund.failed": { transaction: { ...refund, status: "failed" } },
  "Processor.dispute.opened": { transaction: dispute },
  "Processor.dispute.won": { transaction: won },
  "Processor.dispute.lost": { transaction: dispute },
  "Processor.subscription.started": { subscription },
  "Processor.subscription.updated": {
    subscription: { ...subscription, cancel_at_period_end: true, cancel_at: "2026-12-20T08:29:58.000Z" },
  },
  "Processor.subscription.ended": { subscription: { ...subscription, status: "canceled", current_period_end: "2026-12-20T08:29:58.000Z" } },
  "Processor.payment_method.refused": { payment_link_id: "plink_1NoPq5", refused_payment_method_types: ["klarna"] },
  "Bank.payment.succeeded": {
    Payment: {
      PaymentId: 481516234210042,
      OrderId: "5f0c1e7b9a3d4c62818e0b2d4f6a8c1e",
      Amount: 290000,
      Status: "CONFIRMED",
      Data: { ep_order: "order-2041", ep_product_id: null },
    },
  },
};
