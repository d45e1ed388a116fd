import * as z from "zod";
import { defineEvent, type Recipient } from "./define-event.ts";

interface RefundedBankPayment extends Recipient {
  readonly paymentId: number;
  readonly orderId: string;
  readonly amountKopecks: number;
  readonly externalOrderId: string | null;
  /** The name of the movement within its order. */
  readonly movement: string;
  readonly status: "PARTIAL_REFUNDED" | "REFUNDED";
}

const refund = z
  .object({
    Id: z.string().describe("Of this refund: an order may have several"),
    Amount: z.int().describe("In kopecks, what was given back by this refund"),
  })
  .meta({ title: "BankRefund" });

const payment = z
  .object({
    PaymentId: z.int().describe("The payment_id from the creation's answer"),
    OrderId: z.string().describe("The order_id from the creation's answer"),
    Amount: z.int().describe("In kopecks, of the whole payment"),
    Status: z.enum(["PARTIAL_REFUNDED", "REFUNDED"]),
    Data: z.object({ ep_order: z.string().nullable().describe("Your external_order_id") }).meta({ title: "BankRefundData" }),
  })
  .meta({ title: "RefundedBankPayment" });

/**
 * A ruble payment was refunded, whole or in part: once for each movement. The amount is the movement's, which the database works out when
 * it writes both: {@link AMOUNT_PATH}.
 */
export const bankPaymentRefunded = defineEvent({
  name: "Bank.payment.refunded",
  summary: "A ruble payment was refunded, whole or in part",
  payload: { Payment: payment, Refund: refund },
  example: {
    Payment: {
      PaymentId: 481516234210042,
      OrderId: "010c1e7b9a3d4c62818e0b2d4f6a8c1e",
      Amount: 290000,
      Status: "PARTIAL_REFUNDED",
      Data: { ep_order: "order-2041" },
    },
    Refund: { Id: "010c1e7b9a3d4c62818e0b2d4f6a8c1e:refund:5f0c", Amount: 50000 },
  },
  causeOf: ({ orderId, movement }: RefundedBankPayment) => `bank.payment.refunded:${orderId}:${movement}`,
  view: ({ paymentId, orderId, amountKopecks, externalOrderId, movement, status }) => ({
    Payment: { PaymentId: paymentId, OrderId: orderId, Amount: amountKopecks, Status: status, Data: { ep_order: externalOrderId } },
    Refund: { Id: `${orderId}:${movement}`, Amount: 0 },
  }),
});

/** Where the amount of the refund stands in the payload. */
export const AMOUNT_PATH = "$.Refund.Amount";
