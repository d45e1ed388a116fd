import * as z from "zod";
import type { SubmittedCard, SubmittedRuble } from "../../catalogue/submissions.ts";
import { environmentSchema } from "../../core/environment.ts";
import { limits } from "../../core/limits.ts";
import { toMinorUnits } from "../../core/money.ts";
import { productFields, refusePeriod } from "./product-schemas.ts";

const { type, name, description, currency, interval, interval_count, rubleName, vat } = productFields;

/** A price in major units, between two in minor units. All currencies of products have two decimals. */
const amountBetween = (least: number, most: number) =>
  z
    .number()
    .min(least / 100)
    .max(most / 100)
    .refine((amount) => Number(amount.toFixed(2)) === amount, "must have at most two decimals")
    .describe("The price in major units: 19.5 is 19.50");

const cardSchema = z
  .strictObject({
    kind: z.literal("card"),
    environment: environmentSchema,
    type,
    name: name.describe("What customers see"),
    description: description.describe("What customers read below the name"),
    currency,
    amount: amountBetween(limits.cart.minUnitAmount, limits.cart.maxUnitAmount),
    interval,
    interval_count,
  })
  .superRefine(refusePeriod);

const rubleSchema = z.strictObject({
  kind: z.literal("ruble"),
  name: rubleName.describe("What the receipt says"),
  amount: amountBetween(1, limits.bankCart.maxUnitAmount),
  vat: vat.nullish().describe("The rate in the bank's spelling: none, vat0, vat10 … Left out: moderation sets it"),
});

/** A product as its partner submits it. Payment methods, terminal and receipt are for moderation. */
export const submissionSchema = z.discriminatedUnion("kind", [cardSchema, rubleSchema], { error: "must be card or ruble" });

type Submission = z.output<typeof submissionSchema>;

/** The catalogue values of a submitted card product. */
export function submittedCardOf(product: Extract<Submission, { kind: "card" }>): SubmittedCard {
  return {
    environment: product.environment,
    name: product.name,
    description: product.description ?? null,
    type: product.type,
    currency: product.currency,
    unitAmount: toMinorUnits(product.amount, product.currency),
    interval: product.interval ?? null,
    intervalCount: product.type === "subscription" ? (product.interval_count ?? 1) : null,
  };
}

/** The catalogue values of a submitted ruble product. */
export function submittedRubleOf(product: Extract<Submission, { kind: "ruble" }>): SubmittedRuble {
  return { name: product.name, unitAmount: toMinorUnits(product.amount, "RUB"), vat: product.vat ?? null };
}
