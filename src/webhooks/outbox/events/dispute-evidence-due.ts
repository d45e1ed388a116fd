import * as z from "zod";
import { DAY, isoTime } from "../../../core/clock.ts";
import { moneyText } from "../../../core/money.ts";
import { type DisputeSource, disputeExample, disputeSchema, viewDispute } from "../../../views/dispute.ts";
import { defineEvent, type Recipient, TO_PEOPLE } from "./define-event.ts";

interface DueEvidence extends Recipient, DisputeSource {
  readonly evidenceDueBy: number;
  readonly paymentIntentId: string | null;
  readonly clientReferenceId: string | null;
  /** Which of the notices before the deadline it is, by its days. */
  readonly stage: number;
  /** Unix milliseconds. */
  readonly now: number;
}

const daysLeft = ({ evidenceDueBy, now }: DueEvidence): number => Math.floor((evidenceDueBy - now) / DAY);

function words(due: DueEvidence): string {
  const { amount, currency, clientReferenceId, paymentIntentId, id, reason, evidenceDueBy } = due;
  const days = daysLeft(due);
  const left = days < 1 ? "less than a day" : days === 1 ? "one day" : `${days} days`;
  const of = clientReferenceId === null ? (paymentIntentId ?? id) : `order ${clientReferenceId}`;
  return `A customer disputes ${moneyText(amount, currency)} of ${of} (${reason}). Evidence is due in ${left}, by ${isoTime(evidenceDueBy)}: send it to support.`;
}

/** The deadline for the evidence of a dispute, or of an inquiry, is near. Sent ten days and two days before it. */
export const disputeEvidenceDue = defineEvent({
  name: "Processor.dispute.evidence_due",
  summary: "Evidence for a dispute or an inquiry is due: ten days, and two days, before the deadline",
  payload: {
    dispute: disputeSchema,
    payment_intent_id: z.string().nullable(),
    client_reference_id: z.string().nullable().describe("Your order reference from the checkout"),
    days_left: z.int().describe("Whole days until the deadline"),
    says: z.string().describe("The same in a sentence, as your chat gets it"),
  },
  example: {
    dispute: disputeExample,
    payment_intent_id: "pi_3PqLk2",
    client_reference_id: "order-2041",
    days_left: 9,
    says: "A customer disputes 77.00 USD of order order-2041 (product_not_received). Evidence is due in 9 days, by 2026-12-16T23:59:59.000Z: send it to support.",
  },
  channels: TO_PEOPLE,
  causeOf: ({ id, evidenceDueBy, stage }: DueEvidence) => `dispute.evidence_due:${id}:${evidenceDueBy}:${stage}`,
  view: (due) => ({
    dispute: viewDispute(due),
    payment_intent_id: due.paymentIntentId,
    client_reference_id: due.clientReferenceId,
    days_left: daysLeft(due),
    says: words(due),
  }),
});
