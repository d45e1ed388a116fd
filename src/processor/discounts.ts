import type Stripe from "stripe";
import { nullIfRefused, type Reader } from "./calls.ts";
import type { DiscountFacts } from "./facts.ts";
import { idOf } from "./stripe-objects.ts";

type Discounts = readonly { readonly promotion_code?: string | { readonly id: string } | null | undefined }[] | null | undefined;

/** The id of the promotion code among some discounts; null if there is none. */
export const promotionCodeIdIn = (discounts: Discounts): string | null =>
  discounts?.map(({ promotion_code }) => idOf(promotion_code ?? null)).find((id) => id !== null) ?? null;

/**
 * The promotion code among the discounts of a checkout; nulls if there is none. One call if there is one. If the
 * processor does not show the code, only its id is known: the payment is recorded in any case.
 */
export async function promotionCodeOf(
  { stripe, ask }: Reader,
  discounts: Discounts,
): Promise<Pick<DiscountFacts, "promotionCode" | "promotionCodeId">> {
  const used = promotionCodeIdIn(discounts);
  if (used === null) return { promotionCode: null, promotionCodeId: null };
  const found = await nullIfRefused(ask((options) => stripe.promotionCodes.retrieve(used, {}, options)));
  return { promotionCode: found?.code ?? null, promotionCodeId: used };
}

/**
 * The discount of a payment: of a first payment from its checkout, of a renewal from its invoice, which does not name
 * the code. Null if there is none.
 */
export async function discountOf(
  reader: Reader,
  session: Stripe.Checkout.Session | null,
  invoice: Pick<Stripe.Invoice, "billing_reason" | "currency" | "total_discount_amounts"> | null,
): Promise<DiscountFacts | null> {
  const isRenewal = invoice !== null && invoice.billing_reason !== "subscription_create";
  const taken = isRenewal
    ? (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
    : (session?.total_details?.amount_discount ?? 0);
  const currency = isRenewal ? invoice.currency : session?.currency;
  if (taken === 0 || currency === undefined || currency === null) return null;
  const code = await promotionCodeOf(reader, isRenewal ? null : session?.discounts);
  return { amount: taken, currency: currency.toUpperCase(), ...code };
}
