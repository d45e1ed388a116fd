import * as z from "zod";
import { limits } from "../../core/limits.ts";
import { findPayment, type Snapshot, snapshotKeys } from "../../ledger/find-payment.ts";
import { paymentExample, transactionSchema, viewTransaction } from "../../views/transaction.ts";
import { defineOperation, READ_ONLY } from "../operation.ts";
import { v2 } from "./generation.ts";

const SHAPE = "must be one payment intent id, pi_…";

/** One payment intent id. Ids of charges and movements are refused (interface 6.1). */
const input = z.object({
  payment_intent_id: z
    .string(SHAPE)
    .regex(new RegExp(`^pi_[A-Za-z0-9_]{1,${limits.paymentIntentId.characters}}$`), SHAPE)
    .describe("pi_…, as in a movement; ids of charges and movements are refused"),
});

/** The processor's objects in their original shape; which ones exist depends on the payment. */
const snapshot = z
  .partialRecord(z.enum(snapshotKeys), z.record(z.string(), z.unknown()))
  .describe("The processor's own objects of the payment, without the URLs of its pages");

/** The payment with its snapshot, and its other movements without snapshots (interface 6.2). */
const output = z.object({
  payment: transactionSchema.extend({ snapshot }).meta({ title: "PaymentWithSnapshot" }),
  related_movements: z.array(
    transactionSchema
      .pick({ id: true, type: true, amount: true, currency: true, status: true, transaction_date: true })
      .meta({ title: "RelatedMovement" }),
  ),
  count: z.int().describe("The payment and its related movements"),
});

/** Operation 6. */
export const getPartnerPayment = defineOperation(v2, {
  name: "get-partner-processor-payment",
  title: "Get a payment",
  method: "payments.get",
  summary: "Get one payment with its full snapshot, refunds and disputes",
  description:
    "One of your payments with its objects at the processor and its later refunds and disputes, oldest first. If only a refund or dispute is known, the earliest movement represents the payment. Another partner's payment is answered like a missing one.",
  hint: "Use it for the details of one payment whose payment_intent_id a list or an event has named. For many payments use the list.",
  permission: "balance_view",
  key: "header_or_body",
  effect: READ_ONLY,
  input,
  output,
  fails: ["payment_not_found"],
  example: {
    request: { payment_intent_id: "pi_3PqLk2" },
    response: {
      payment: {
        ...paymentExample,
        snapshot: { payment_intent: { id: "pi_3PqLk2", object: "payment_intent", amount: 7700, currency: "usd" } },
      },
      related_movements: [
        {
          id: "processor:txn_5RsNm4",
          type: "processor_refund",
          amount: -20,
          currency: "USD",
          status: "refunded",
          transaction_date: "2026-11-24T10:02:11.000Z",
        },
      ],
      count: 2,
    },
  },
  environmentOfAnswer: ({ payment }) => payment.environment,
  async run(deps, caller, body) {
    const { payment, snapshot: objects, related } = await findPayment(deps, caller, body.payment_intent_id);
    return {
      payment: { ...viewTransaction(payment), snapshot: objects satisfies Snapshot },
      related_movements: related.map(viewTransaction).map(({ id, type, amount, currency, status, transaction_date }) => ({
        id,
        type,
        amount,
        currency,
        status,
        transaction_date,
      })),
      count: 1 + related.length,
    };
  },
});
