import * as z from "zod";
import { SECOND } from "../core/clock.ts";
import { jsonObjectSchema, parseJson } from "../core/json.ts";
import { buyerOf, methodOf } from "../processor/customers.ts";
import { promotionCodeIdIn } from "../processor/discounts.ts";
import type { StoredObject } from "./snapshots.ts";

const text = z.string().nullish();
const namedSchema = z.object({ email: text, name: text }).nullish();
const idOrObject = z.union([z.string(), z.object({ id: z.string() })]);
const chargeSchema = z.object({
  created: z.int(),
  status: z.string(),
  currency: z.string(),
  billing_details: namedSchema,
  payment_method_details: z.object({ type: z.string(), card: z.object({ brand: text, last4: text }).nullish() }).nullish(),
});
const sessionSchema = z.object({
  customer_details: namedSchema,
  total_details: z.object({ amount_discount: z.int() }).nullish(),
  discounts: z.array(z.object({ promotion_code: idOrObject.nullish() })).nullish(),
});

const named = (of: z.infer<typeof namedSchema>) => of && { email: of.email ?? null, name: of.name ?? null };

/** What the stored objects of a payment say of its order, besides its money. Null without a readable charge. */
export function orderFactsIn(objects: readonly StoredObject[]) {
  const read = <Of>(type: string, schema: z.ZodType<Of>): Of | null => {
    const stored = objects.findLast((one) => one.type === type);
    return stored === undefined ? null : (schema.safeParse(parseJson(jsonObjectSchema, stored.data)).data ?? null);
  };
  const [charge, session] = [read("charge", chargeSchema), read("checkout.session", sessionSchema)];
  if (charge === null) return null;
  const buyer = buyerOf(named(session?.customer_details), named(charge.billing_details));
  const method = methodOf(charge.payment_method_details ?? null);
  return {
    createdAt: charge.created * SECOND,
    unpaid: charge.status === "failed" ? ("failed" as const) : ("pending" as const),
    currency: charge.currency.toUpperCase(),
    method: method?.type ?? null,
    methodLabel: method?.label ?? null,
    email: buyer?.email ?? null,
    customerName: buyer?.name ?? null,
    // The code as it was typed is not in it.
    promotionCodeId: promotionCodeIdIn(session?.discounts),
    discount: session?.total_details?.amount_discount ?? 0,
  };
}
