import * as z from "zod";
import { toMajorUnits } from "../../../core/money.ts";
import { type ProcessorItem, processorItemSchema, viewProcessorItem } from "../../../views/processor-item.ts";
import { defineEvent, type Recipient } from "./define-event.ts";

/** A one-time checkout that was completed without a payment, with a known owner. The total in minor units. */
interface CompletedCheckout extends Recipient {
  readonly sessionId: string;
  readonly paymentLinkId: string | null;
  readonly clientReferenceId: string | null;
  readonly amountTotal: number;
  readonly currency: string;
  readonly items: readonly ProcessorItem[];
  readonly promotionCode: string | null;
  readonly promotionCodeId: string | null;
}

const checkoutSchema = z
  .object({
    session_id: z.string().describe("cs_…: the checkout at the processor"),
    payment_link_id: z.string().nullable(),
    client_reference_id: z.string().nullable().describe("Your order reference from the checkout"),
    amount_total: z.number().describe("In major units; 0"),
    currency: z.string(),
    items: z.array(processorItemSchema),
    promotion_code: z.string().nullable().describe("What the customer typed"),
    promotion_code_id: z.string().nullable().describe("promo_…"),
  })
  .meta({ title: "Checkout" });

/**
 * A customer completed a one-time order with nothing to pay, because a promotion code reduced the total to zero
 * (interface W.3). There is no payment and no movement, so only this event reports it. Sent once for each checkout.
 */
export const checkoutCompleted = defineEvent({
  name: "Processor.checkout.completed",
  summary: "A customer completed a one-time order and had nothing to pay",
  payload: { checkout: checkoutSchema },
  example: {
    checkout: {
      session_id: "cs_live_a1B2c3",
      payment_link_id: "plink_1NoPq5",
      client_reference_id: "order-2041",
      amount_total: 0,
      currency: "USD",
      items: [{ processor_product_id: "prod_QwErTy", processor_price_id: "price_1NoPq5", quantity: 1 }],
      promotion_code: "GIFT-100",
      promotion_code_id: "promo_1NoPq8",
    },
  },
  causeOf: ({ sessionId }: CompletedCheckout) => `checkout.completed:${sessionId}`,
  view: (facts) => ({
    checkout: {
      session_id: facts.sessionId,
      payment_link_id: facts.paymentLinkId,
      client_reference_id: facts.clientReferenceId,
      amount_total: toMajorUnits(facts.amountTotal, facts.currency),
      currency: facts.currency,
      items: facts.items.map(viewProcessorItem),
      promotion_code: facts.promotionCode,
      promotion_code_id: facts.promotionCodeId,
    },
  }),
});

/** The event id of a checkout, which follows from these values alone. */
export function checkoutEventId(
  code: Parameters<typeof checkoutCompleted.idOf>[0],
  recipient: Recipient,
  sessionId: string,
): Promise<string> {
  const unknown = { paymentLinkId: null, clientReferenceId: null, amountTotal: 0, currency: "", items: [], promotionCode: null };
  return checkoutCompleted.idOf(code, { ...recipient, ...unknown, sessionId, promotionCodeId: null });
}
