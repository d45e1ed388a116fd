import * as z from "zod";
import { defineEvent, type Recipient, TO_CHAT } from "./define-event.ts";

interface RefusedMethods extends Recipient {
  readonly paymentLinkId: string;
  readonly refusedMethods: readonly string[];
  /** The method that includes a refused name, by that name. */
  readonly coveredBy: Readonly<Record<string, string>>;
}

/**
 * The processor refused methods of a link; the link was created without them (interface L.9). Sent once for each link.
 */
export const paymentMethodRefused = defineEvent({
  name: "Processor.payment_method.refused",
  summary: "The processor refused methods of a link; the link was created without them",
  payload: {
    payment_link_id: z.string(),
    refused_payment_method_types: z.array(z.string()).min(1),
    covered_by: z.record(z.string(), z.string()).describe("The method that includes a refused name, such as card for visa"),
  },
  example: { payment_link_id: "plink_1NoPq5", refused_payment_method_types: ["klarna", "visa"], covered_by: { visa: "card" } },
  channels: TO_CHAT,
  causeOf: ({ paymentLinkId }: RefusedMethods) => `payment_method.refused:${paymentLinkId}`,
  view: ({ paymentLinkId, refusedMethods, coveredBy }) => ({
    payment_link_id: paymentLinkId,
    refused_payment_method_types: [...refusedMethods],
    covered_by: { ...coveredBy },
  }),
});
