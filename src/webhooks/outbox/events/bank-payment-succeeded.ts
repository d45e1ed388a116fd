import * as z from "zod";
import { defineEvent, type Recipient, TO_CHAT } from "./define-event.ts";

const paidStatuses = ["CONFIRMED", "PARTIAL_REFUNDED", "REFUNDED"] as const;

interface PaidBankPayment extends Recipient {
  readonly paymentId: number;
  readonly orderId: string;
  readonly amountKopecks: number;
  readonly externalOrderId: string | null;
  /** The bank's status at the time of the event. */
  readonly status: string;
}

const payment = z
  .object({
    PaymentId: z.int().describe("The payment_id from the creation's answer"),
    OrderId: z.string().describe("The order_id from the creation's answer"),
    Amount: z.int().describe("In kopecks, of the whole payment"),
    Status: z.enum(paidStatuses),
    Data: z
      .object({ ep_order: z.string().nullable().describe("Your external_order_id"), ep_product_id: z.null().describe("Null for a cart") })
      .meta({ title: "BankPaymentData" }),
  })
  .meta({ title: "BankPayment" });

/** A ruble order was paid (interface W.2). Sent once for each order. */
export const bankPaymentSucceeded = defineEvent({
  name: "Bank.payment.succeeded",
  summary: "A ruble payment was paid",
  payload: { Payment: payment },
  example: {
    Payment: {
      PaymentId: 481516234210042,
      OrderId: "010c1e7b9a3d4c62818e0b2d4f6a8c1e",
      Amount: 290000,
      Status: "CONFIRMED",
      Data: { ep_order: "order-2041", ep_product_id: null },
    },
  },
  channels: TO_CHAT,
  causeOf: ({ orderId }: PaidBankPayment) => `bank.payment.succeeded:${orderId}`,
  view: ({ paymentId, orderId, amountKopecks, externalOrderId, status }) => ({
    Payment: {
      PaymentId: paymentId,
      OrderId: orderId,
      Amount: amountKopecks,
      Status: z.enum(paidStatuses).parse(status),
      // A cart has several products, so there is no single product id.
      Data: { ep_order: externalOrderId, ep_product_id: null },
    },
  }),
});
