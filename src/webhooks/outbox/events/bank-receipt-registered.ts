import * as z from "zod";
import type { FiscalReceipt } from "../../../core/fiscal-receipt.ts";
import { defineEvent, type Recipient } from "./define-event.ts";

interface RegisteredReceipt extends Recipient {
  readonly paymentId: number;
  readonly orderId: string;
  readonly externalOrderId: string | null;
  readonly receipt: FiscalReceipt;
}

const payment = z
  .object({
    PaymentId: z.int().describe("The payment_id from the creation's answer"),
    OrderId: z.string().describe("The order_id from the creation's answer"),
    Data: z.object({ ep_order: z.string().nullable().describe("Your external_order_id") }).meta({ title: "BankReceiptData" }),
  })
  .meta({ title: "ReceiptedBankPayment" });

const receiptSchema = z
  .object({
    Type: z.enum(["payment", "refund"]),
    FnNumber: z.string().describe("The fiscal drive"),
    FiscalDocumentNumber: z.string(),
    FiscalDocumentAttribute: z.string().describe("The fiscal sign"),
    EcrRegNumber: z.string().nullable().describe("The cash register"),
    ReceiptDatetime: z.string().nullable().describe("As the bank says it, in the cash register's time"),
    Amount: z.int().nullable().describe("In kopecks"),
  })
  .meta({ title: "FiscalReceipt" });

/**
 * A fiscal receipt of a ruble payment was registered: once for each document. Its address is with the payment alone: it leads to a page that
 * may name the buyer, and `erase` empties it there.
 */
export const bankReceiptRegistered = defineEvent({
  name: "Bank.receipt.registered",
  summary: "A fiscal receipt of a ruble payment was registered",
  payload: { Payment: payment, Receipt: receiptSchema },
  example: {
    Payment: { PaymentId: 481516234210042, OrderId: "010c1e7b9a3d4c62818e0b2d4f6a8c1e", Data: { ep_order: "order-2041" } },
    Receipt: {
      Type: "payment",
      FnNumber: "9999078900004792",
      FiscalDocumentNumber: "1345",
      FiscalDocumentAttribute: "1832594741",
      EcrRegNumber: "0000000001012345",
      ReceiptDatetime: "2026-11-20T11:31:05+03:00",
      Amount: 290000,
    },
  },
  causeOf: ({ orderId, receipt }: RegisteredReceipt) => `bank.receipt.registered:${orderId}:${receipt.fn}:${receipt.document}`,
  view: ({ paymentId, orderId, externalOrderId, receipt }) => ({
    Payment: { PaymentId: paymentId, OrderId: orderId, Data: { ep_order: externalOrderId } },
    Receipt: {
      Type: receipt.kind,
      FnNumber: receipt.fn,
      FiscalDocumentNumber: receipt.document,
      FiscalDocumentAttribute: receipt.sign,
      EcrRegNumber: receipt.register,
      ReceiptDatetime: receipt.registeredAt,
      Amount: receipt.amount,
    },
  }),
});
