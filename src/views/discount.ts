import * as z from "zod";
import { toMajorUnits } from "../core/money.ts";

/** The discount of a payment in events for partners. */
export const discountSchema = z
  .object({
    amount: z.number().describe("In major units of the charged currency"),
    currency: z.string(),
    promotion_code: z.string().nullable().describe("The code that the customer entered; null without a code, and for a renewal"),
    promotion_code_id: z.string().nullable().describe("promo_…"),
  })
  .meta({ title: "Discount" });

/** A discount in minor units. */
export interface DiscountSource {
  readonly amount: number;
  readonly currency: string;
  readonly promotionCode: string | null;
  readonly promotionCodeId: string | null;
}

export function viewDiscount({ amount, currency, promotionCode, promotionCodeId }: DiscountSource): z.infer<typeof discountSchema> {
  return { amount: toMajorUnits(amount, currency), currency, promotion_code: promotionCode, promotion_code_id: promotionCodeId };
}
