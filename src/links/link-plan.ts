import * as z from "zod";
import { environmentSchema } from "../core/environment.ts";
import { billingIntervals, linkCurrencies } from "../core/money.ts";

/** The resolved link request. It is complete before the first side effect; a resumed run uses the same plan. */
export const linkPlanSchema = z.object({
  environment: environmentSchema,
  currency: z.enum(linkCurrencies),
  recurring: z.object({ interval: z.enum(billingIntervals), intervalCount: z.int() }).nullable(),
  /** Days before a subscription's first payment; 0: none. */
  trialDays: z.int(),
  /** Amounts in minor units per unit (and per period), and the names of the products now. */
  items: z.array(z.object({ productId: z.string(), name: z.string(), unitAmount: z.int(), quantity: z.int() })),
  paymentMethodTypes: z.array(z.string()),
  /** The payment methods to use if the processor refuses all of `paymentMethodTypes`. */
  defaultPaymentMethodTypes: z.array(z.string()),
  allowPromotionCodes: z.boolean(),
  successUrl: z.string().nullable(),
});

export type LinkPlan = z.infer<typeof linkPlanSchema>;
