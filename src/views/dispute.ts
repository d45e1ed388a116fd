import * as z from "zod";
import { isoTimeOrNull } from "../core/clock.ts";
import { toMajorUnits } from "../core/money.ts";
import { disputeStates, isInquiry, stateOfDispute } from "../core/object-states.ts";

/** A dispute for partners, in events and lists. */
export const disputeSchema = z
  .object({
    id: z.string().describe("du_… or dp_…: the dispute at the processor"),
    state: z.enum(disputeStates).describe("`needs_response`: evidence can be given; `closed`: it ended without a verdict"),
    is_inquiry: z.boolean().describe("The customer's bank only asks: no money is taken"),
    reason: z.string().describe("The customer's reason in the processor's word: fraudulent, product_not_received, duplicate …"),
    amount: z.number().describe("What the customer wants back, in major units"),
    currency: z.string().describe("ISO 4217, upper case: what the customer was charged in"),
    evidence_due_by: z.string().nullable().describe("When your evidence must be there at the latest; null if none can be given"),
  })
  .meta({ title: "Dispute" });

/** The input of the view: the amount in minor units, the time in Unix milliseconds. */
export interface DisputeSource {
  readonly id: string;
  readonly status: string;
  readonly reason: string;
  readonly amount: number;
  readonly currency: string;
  readonly evidenceDueBy: number | null;
}

export const viewDispute = ({ id, status, reason, amount, currency, evidenceDueBy }: DisputeSource): z.input<typeof disputeSchema> => ({
  id,
  state: stateOfDispute(status),
  is_inquiry: isInquiry(status),
  reason,
  amount: toMajorUnits(amount, currency),
  currency,
  evidence_due_by: isoTimeOrNull(evidenceDueBy),
});

export const disputeExample: z.infer<typeof disputeSchema> = {
  id: "du_1QbH2kfD8sL0aVx9",
  state: "needs_response",
  is_inquiry: false,
  reason: "product_not_received",
  amount: 77,
  currency: "USD",
  evidence_due_by: "2026-12-16T23:59:59.000Z",
};
