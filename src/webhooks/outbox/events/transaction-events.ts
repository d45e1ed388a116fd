import {
  paymentExample,
  type Transaction,
  type TransactionSource,
  transactionSchema,
  viewTransaction,
} from "../../../views/transaction.ts";
import { defineEvent, type EventDefinition } from "./define-event.ts";

/** A movement with a known owner. */
type OwnedMovement = TransactionSource & { readonly partnerId: string; readonly sourceId: string | null };

const refund: Transaction = {
  ...paymentExample,
  id: "processor:txn_5RsNm4",
  amount: -77,
  net_amount: -77,
  fee: 0,
  charged_amount: -77,
  status: "refunded",
  transaction_date: "2026-11-24T10:02:11.000Z",
  type: "processor_refund",
};
const dispute: Transaction = {
  ...paymentExample,
  id: "processor:txn_7TuOp6",
  amount: -77,
  net_amount: -92,
  fee: 15,
  charged_amount: -77,
  status: "disputed",
  transaction_date: "2026-12-02T14:40:00.000Z",
  type: "processor_dispute_freeze",
};
const disputeWon: Transaction = {
  ...dispute,
  id: "processor:txn_9VwQr8",
  amount: 77,
  net_amount: 92,
  fee: -15,
  charged_amount: 77,
  status: "dispute_won",
  transaction_date: "2026-12-20T09:15:00.000Z",
  type: "processor_dispute_return",
};

/** The events about a movement (interface W.3), each sent once for each movement, or for each failed refund. */
export const transactionEvents = {
  paymentSucceeded: ofTransaction("payment.succeeded", "A payment is completed", paymentExample),
  paymentPending: ofTransaction("payment.pending", "A payment by a slow method has begun", { ...paymentExample, status: "pending" }),
  paymentFailed: ofTransaction("payment.failed", "A slow payment failed after all", { ...paymentExample, status: "failed" }),
  refundSucceeded: ofTransaction("refund.succeeded", "A refund went out", refund),
  refundFailed: ofTransaction(
    "refund.failed",
    "A refund failed: its money came back, or never went out. Where it was never booked, its id is processor:re_…, and no list has it",
    { ...refund, status: "failed" },
    // One event for each refund, whether it was booked when it was first seen or not.
    ({ sourceId, id }) => sourceId ?? id,
  ),
  disputeOpened: ofTransaction("dispute.opened", "A customer's bank took the money back", dispute),
  disputeWon: ofTransaction("dispute.won", "Disputed money came back", disputeWon),
  disputeLost: ofTransaction("dispute.lost", "Disputed money will not come back", dispute),
} as const;

export type TransactionEvent = (typeof transactionEvents)[keyof typeof transactionEvents];

function ofTransaction(
  name: string,
  summary: string,
  transaction: Transaction,
  subjectOf: (movement: OwnedMovement) => string = ({ id }) => id,
): EventDefinition<OwnedMovement> {
  return defineEvent({
    name: `Processor.${name}`,
    summary,
    payload: { transaction: transactionSchema },
    example: { transaction },
    recipientOf: ({ partnerId, environment }: OwnedMovement) => ({ partnerId, environment }),
    causeOf: (movement) => `${name}:${subjectOf(movement)}`,
    view: (movement) => ({ transaction: viewTransaction(movement) }),
  });
}
