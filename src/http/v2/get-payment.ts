import { z } from "zod";
import { findPayment, type Snapshot, snapshotKeys } from "../../ledger/find-payment.ts";
import { transactionOf } from "../../ledger/movement.ts";
import { defineOperation } from "../operation.ts";
import { transaction } from "./transaction.ts";

const SHAPE = "must be one payment intent id, pi_…";

const input = z.object({
  payment_intent_id: z.string(SHAPE).regex(/^pi_[A-Za-z0-9_]{1,250}$/, SHAPE),
});

/** The processor's objects as it shaped them; which there are depends on the payment. */
const snapshot = z.partialRecord(z.enum(snapshotKeys), z.record(z.string(), z.json()));

const output = z.object({
  payment: transaction.extend({ snapshot }),
  related_movements: z.array(
    transaction.pick({ id: true, type: true, amount: true, currency: true, status: true, transaction_date: true }),
  ),
  count: z.int(),
});

/** Operation 6. */
export const getPartnerPayment = defineOperation("v2", {
  name: "get-partner-processor-payment",
  summary: "Get one payment with its full snapshot, refunds and disputes",
  permission: "balance_view",
  key: "header_or_body",
  input,
  output,
  async run(tools, caller, body) {
    const { payment, snapshot: objects, related } = await findPayment(tools, caller, body.payment_intent_id);
    return {
      payment: { ...transactionOf(payment), snapshot: objects satisfies Snapshot },
      related_movements: related.map(transactionOf).map(({ id, type, amount, currency, status, transaction_date }) => ({
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
