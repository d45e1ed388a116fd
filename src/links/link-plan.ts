import * as z from "zod";
import { environmentSchema } from "../core/environment.ts";
import { rejectInput } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { billingIntervals, linkCurrencies } from "../core/money.ts";
import { type Preview, type PreviewWarning, previewOf } from "../core/preview.ts";
import { isListedMethod, isPossibleOnLinks } from "./payment-methods.ts";

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

/** What a customer who opens the link pays, and for what. */
export function previewOfLink(plan: LinkPlan): Preview {
  const { environment, currency, recurring, trialDays, items, paymentMethodTypes, allowPromotionCodes, successUrl } = plan;
  const lines = items.map(({ productId, name, unitAmount, quantity }) => ({
    productId,
    name,
    quantity,
    unitAmount,
    amount: unitAmount * quantity,
  }));
  const warnings: PreviewWarning[] = [
    ...(recurring === null ? [] : [{ code: "renews" } as const]),
    ...paymentMethodTypes
      .filter((method) => !isListedMethod(method))
      .map((about) => ({ code: "payment_method_not_known", about }) as const),
    ...paymentMethodTypes
      .filter((method) => !isPossibleOnLinks(method))
      .map((about) => ({ code: "payment_method_left_out", about }) as const),
  ];
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  return previewOf({
    kind: "payment_link",
    environments: [environment],
    price: { amount, currency, every: recurring, trialDays },
    lines,
    checkout: { paymentMethods: paymentMethodTypes, allowPromotionCodes, successUrl, failUrl: null, reference: null },
    warnings,
  });
}

/**
 * Checks that the processor can charge the total of a link, for one payment or one period. Price and quantity may each
 * be valid while their product is too large.
 * @param items amounts in minor units. @param field the path in the error.
 * @throws ServiceFailure `invalid_input`, with the total and the processor's limit.
 */
export function checkTotal(
  items: readonly { readonly unitAmount: number; readonly quantity: number }[],
  currency: string,
  field: string,
): void {
  const total = items.reduce((sum, { unitAmount, quantity }) => sum + BigInt(unitAmount) * BigInt(quantity), 0n);
  const most = limits.processorTotal.minorUnits;
  if (total <= BigInt(most)) return;
  rejectInput(`the total is ${total} minor units of ${currency}; the card processor's maximum is ${most}`, field);
}
