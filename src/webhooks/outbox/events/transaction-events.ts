import * as z from "zod";
import { toMajorUnits } from "../../../core/money.ts";
import type { disputeStates } from "../../../core/object-states.ts";
import { type DisputeSource, disputeExample, disputeSchema, viewDispute } from "../../../views/dispute.ts";
import {
  paymentExample,
  type Transaction,
  type TransactionSource,
  transactionSchema,
  viewTransaction,
} from "../../../views/transaction.ts";
import { defineEvent, type EventDefinition, TO_PEOPLE } from "./define-event.ts";

/** The discount of a payment in events for partners. */
const discountSchema = z
  .object({
    amount: z.number().describe("In major units of the charged currency"),
    currency: z.string(),
    promotion_code: z.string().nullable().describe("The code that the customer entered; null without a code, and for a renewal"),
    promotion_code_id: z.string().nullable().describe("promo_…"),
  })
  .meta({ title: "Discount" });

/** A discount in minor units. */
interface DiscountSource {
  readonly amount: number;
  readonly currency: string;
  readonly promotionCode: string | null;
  readonly promotionCodeId: string | null;
}

export function viewDiscount({ amount, currency, promotionCode, promotionCodeId }: DiscountSource): z.infer<typeof discountSchema> {
  return { amount: toMajorUnits(amount, currency), currency, promotion_code: promotionCode, promotion_code_id: promotionCodeId };
}

/** A movement with a known owner. */
type OwnedMovement = TransactionSource & { readonly partnerId: string; readonly sourceId: string | null };

/** A payment, with its discount, or a movement of a dispute, with that. */
type OwnedPayment = OwnedMovement & { readonly discount: DiscountSource | null; readonly dispute: DisputeSource | null };

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

const discount = { amount: 13.59, currency: "USD", promotion_code: "EXAMPLE-15", promotion_code_id: "promo_1NoPq8" };

/** The events about a movement (interface W.3), each sent once for each movement, or for each failed refund. */
export const transactionEvents = {
  paymentSucceeded: ofPayment("payment.succeeded", "A payment is completed", paymentExample),
  paymentPending: ofPayment("payment.pending", "A payment by a slow method has started", { ...paymentExample, status: "pending" }),
  paymentFailed: ofPayment("payment.failed", "A slow payment failed in the end", { ...paymentExample, status: "failed" }),
  refundSucceeded: ofTransaction("refund.succeeded", "A refund went out", refund),
  refundFailed: ofTransaction(
    "refund.failed",
    "A refund failed: the money is yours again. If it was never taken, the id is `processor:re_…` and lists omit it",
    { ...refund, status: "failed" },
    // One event per refund, whether or not it was booked when it was first seen.
    ({ sourceId, id }) => sourceId ?? id,
  ),
  disputeOpened: ofDispute(
    "dispute.opened",
    "A customer's bank disputed a payment and took the money back",
    dispute,
    "needs_response",
    TO_PEOPLE,
  ),
  disputeWon: ofDispute("dispute.won", "Disputed money came back", disputeWon, "won"),
  disputeLost: ofDispute("dispute.lost", "A dispute was lost: the money does not come back", dispute, "lost"),
} as const;

export type TransactionEvent = EventDefinition<OwnedPayment>;

function ofPayment(name: string, summary: string, transaction: Transaction): EventDefinition<OwnedPayment> {
  return defineEvent({
    name: `Processor.${name}`,
    summary,
    payload: { transaction: transactionSchema, discount: discountSchema.nullable().describe("The discount; null if there is none") },
    example: { transaction, discount },
    causeOf: ({ id }: OwnedPayment) => `${name}:${id}`,
    view: (payment) => ({ transaction: viewTransaction(payment), discount: payment.discount && viewDiscount(payment.discount) }),
  });
}

function ofDispute(
  name: string,
  summary: string,
  transaction: Transaction,
  state: (typeof disputeStates)[number],
  channels: typeof TO_PEOPLE = [],
): EventDefinition<OwnedPayment> {
  return defineEvent({
    name: `Processor.${name}`,
    summary,
    channels,
    payload: { transaction: transactionSchema, dispute: disputeSchema.nullable().describe("Null if the processor did not show it") },
    example: { transaction, dispute: { ...disputeExample, state } },
    causeOf: ({ id }: OwnedPayment) => `${name}:${id}`,
    view: (movement) => ({ transaction: viewTransaction(movement), dispute: movement.dispute && viewDispute(movement.dispute) }),
  });
}

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
    causeOf: (movement: OwnedMovement) => `${name}:${subjectOf(movement)}`,
    view: (movement) => ({ transaction: viewTransaction(movement) }),
  });
}
