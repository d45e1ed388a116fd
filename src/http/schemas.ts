import { z } from "zod";
import { readWebUrl } from "../core/urls.ts";

/** Shapes that several operations share. Messages say what is wanted; the surface adds where. */

const MOST_URL_CHARACTERS = 2048;

export const productId = z
  .string()
  .regex(/^prod_[A-Za-z0-9_-]{1,200}$/, "must be a product id, prod_…")
  .describe("An approved product of yours, prod_…");

/** Kept exactly as sent: the processor fills in a placeholder such as {CHECKOUT_SESSION_ID}. */
export const httpsUrl = z
  .string()
  .max(MOST_URL_CHARACTERS, `must be at most ${MOST_URL_CHARACTERS} characters`)
  .refine((text) => readWebUrl(text)?.protocol === "https:", "must be an https URL, without a user name")
  .describe("An https URL; kept exactly as sent");

/** Names as the processor spells them; which of them exist is its business, so that a new one needs no change here. */
export const paymentMethodTypes = z
  .array(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "must be the name of a payment method, such as card"))
  .min(1, "must name at least one method; leave it out for the default")
  .max(50, "must name at most 50 methods")
  .describe("Names of payment methods, such as card; left out: what the products sell with");

export const allowPromotionCodes = z.boolean().default(false).describe("Whether customers may enter a promotion code at the checkout");

/** A key of the first generation. The prefix is kept for the service's own use. */
export const idempotencyKey = z
  .string()
  .min(1, "must be 1 to 128 characters")
  .refine((text) => Array.from(text).length <= 128, "must be 1 to 128 characters")
  .refine((text) => !text.startsWith("ingest:"), "must not start with ingest:")
  .meta({ description: "Not beginning with ingest:; the same in every repeat of one request", maxLength: 128, pattern: "^(?!ingest:)" });

export const clientToken = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, "must be 1 to 255 printable ASCII characters")
  .describe("Idempotency token: new for each order, the same in every repeat of it. 1 to 255 printable ASCII characters");

/** What the results of creations share. */
export const shortLink = {
  short_url: z.string().describe("The only address of the checkout that you get: give it to customers"),
  short_url_id: z.string(),
};

export const signingSecret = {
  secret_status: z.enum(["issued", "returned"]).describe("issued where this request made the secret"),
  signing_secret: z.string().describe("The current secret, whsec_live_… or whsec_test_…: keep it where nobody reads it"),
};

/** `duplicate` of the second generation, `is_replay` of the first. */
export const isRepeat = z.boolean().describe("Whether this is the result of an earlier request that was the same");

export const liveOrTest = z.enum(["live", "test"], "must be live or test");

/** A check of a cart's items: each product stands in it once. `field` is the one that names the product. */
export function refuseRepeated<Field extends string>(field: Field) {
  return (items: readonly Readonly<Record<Field, string | number>>[], context: z.RefinementCtx): void => {
    const seen = new Set<string | number>();
    for (const [index, { [field]: product }] of items.entries()) {
      if (seen.has(product)) {
        context.addIssue({ code: "custom", path: [index, field], message: `${product} stands in the cart twice; use quantity instead` });
      }
      seen.add(product);
    }
  };
}
