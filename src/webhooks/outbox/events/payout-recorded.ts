import * as z from "zod";
import { toMajorUnits } from "../../../core/money.ts";
import { defineEvent, type Recipient } from "./define-event.ts";

/** A payout of live data that an operator has approved. Amount in minor units. */
interface RecordedPayout extends Recipient {
  readonly id: string;
  readonly currency: string;
  readonly amount: number;
  readonly date: string;
  readonly bankReference: string;
}

const payoutSchema = z
  .object({
    id: z.string().describe("po_…"),
    currency: z.string(),
    amount: z.number().describe("In major units"),
    date: z.string().describe("The day at the bank"),
    bank_reference: z.string(),
  })
  .meta({ title: "Payout" });

/** Money was paid out to the partner. Sent once for each payout. */
export const payoutRecorded = defineEvent({
  name: "Partner.payout.recorded",
  summary: "Money was paid out to you",
  payload: { payout: payoutSchema },
  example: {
    payout: { id: "po_5b0c6a7f0d3e4a51", currency: "USD", amount: 1250.5, date: "2026-11-05", bank_reference: "BANK-2026-11-05-7" },
  },
  causeOf: ({ id }: RecordedPayout) => `payout.recorded:${id}`,
  view: ({ id, currency, amount, date, bankReference }) => ({
    payout: { id, currency, amount: toMajorUnits(amount, currency), date, bank_reference: bankReference },
  }),
});
