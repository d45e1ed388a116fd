import { z } from "zod";

/** Everything that is settled about a link before anything is made; a resumed run follows it. */
export const linkPlanSchema = z.object({
  environment: z.enum(["live", "test"]),
  currency: z.enum(["USD", "EUR", "GBP", "BRL"]),
  recurring: z.object({ interval: z.enum(["day", "week", "month", "year"]), intervalCount: z.int() }).nullable(),
  /** Days before a subscription's first payment; 0: none. */
  trialDays: z.int(),
  /** Amounts in minor units per unit (and per period). */
  items: z.array(z.object({ productId: z.string(), unitAmount: z.int(), quantity: z.int() })),
  paymentMethodTypes: z.array(z.string()),
  /** What the link takes where the processor will have none of those. */
  defaultPaymentMethodTypes: z.array(z.string()),
  allowPromotionCodes: z.boolean(),
  successUrl: z.string().nullable(),
});

export type LinkPlan = z.infer<typeof linkPlanSchema>;
