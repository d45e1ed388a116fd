import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { toMajorUnits } from "../../../core/money.ts";
import { defineEvent, type Recipient } from "./define-event.ts";

/** A checkout that ended unpaid, with a known owner. The total in minor units, the time in Unix milliseconds. */
interface ExpiredCheckout extends Recipient {
  readonly sessionId: string;
  readonly paymentLinkId: string | null;
  readonly clientReferenceId: string | null;
  readonly expiredAt: number;
  readonly amountTotal: number;
  readonly currency: string;
}

const checkoutSchema = z
  .object({
    session_id: z.string().describe("cs_…: the checkout at the processor"),
    payment_link_id: z.string().nullable(),
    client_reference_id: z.string().nullable().describe("Your order reference from the checkout"),
    amount_total: z.number().describe("What it would have cost, in major units"),
    currency: z.string(),
    expired_at: z.string(),
  })
  .meta({ title: "ExpiredCheckout" });

/** A customer began a checkout and did not pay before it ended. Only partners that ask for it have the event. Once for each checkout. */
export const checkoutExpired = defineEvent({
  name: "Processor.checkout.expired",
  summary: "A customer began a checkout, and did not pay before it ended. Only if your settings ask for it",
  payload: { checkout: checkoutSchema },
  example: {
    checkout: {
      session_id: "cs_live_a1B2c3",
      payment_link_id: "plink_1NoPq5",
      client_reference_id: "order-2041",
      amount_total: 77,
      currency: "USD",
      expired_at: "2026-11-21T08:30:00.000Z",
    },
  },
  causeOf: ({ sessionId }: ExpiredCheckout) => `checkout.expired:${sessionId}`,
  view: ({ sessionId, paymentLinkId, clientReferenceId, amountTotal, currency, expiredAt }) => ({
    checkout: {
      session_id: sessionId,
      payment_link_id: paymentLinkId,
      client_reference_id: clientReferenceId,
      amount_total: toMajorUnits(amountTotal, currency),
      currency,
      expired_at: isoTime(expiredAt),
    },
  }),
});
