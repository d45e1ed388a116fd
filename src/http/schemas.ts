import * as z from "zod";
import { limits } from "../core/limits.ts";
import { parseHttpUrl } from "../core/urls.ts";
import { isConnectedMethod } from "../links/payment-methods.ts";

/** Schemas that several operations share. Messages say what is required; the surface adds the field path. */

export const productId = z
  .string()
  .regex(new RegExp(`^prod_[A-Za-z0-9_-]{1,${limits.processorId.characters}}$`), "must be a product id, prod_…")
  .describe("An approved product of yours, prod_…");

const ONE_SUBSCRIPTION = "give exactly one, sub_…";

export const subscriptionId = z
  .string(ONE_SUBSCRIPTION)
  .regex(new RegExp(`^sub_[A-Za-z0-9_]{1,${limits.processorId.characters}}$`), ONE_SUBSCRIPTION);

/** Kept exactly as sent: the processor fills in a placeholder such as {CHECKOUT_SESSION_ID}. */
export const httpsUrl = z
  .string()
  .max(limits.url.characters, `must be at most ${limits.url.characters} characters`)
  .refine((text) => parseHttpUrl(text)?.protocol === "https:", {
    error: ({ input }) =>
      parseHttpUrl(String(input)) === null
        ? "must be a URL that starts with https://, without blanks, backslashes, control characters or user name"
        : "must be an https URL",
  })
  .describe("An https URL; kept exactly as sent");

/** A name that a payment method may have. */
export const paymentMethodName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "must be the name of a payment method, such as card");

/** The processor's names. The processor checks which ones exist, so a new one needs no change here. */
export const paymentMethodTypes = z
  .array(paymentMethodName.refine(isConnectedMethod, { error: ({ input }) => `the payment method ${String(input)} is not connected` }))
  .min(1, "must name at least one method; leave it out for the default")
  .max(limits.paymentMethods.count, `must name at most ${limits.paymentMethods.count} methods`)
  .describe("Names of payment methods, such as card. Default: those of the products");

export const allowPromotionCodes = z.boolean().default(false).describe("Whether customers may enter a promotion code at the checkout");

const KEY_LENGTH = `must be 1 to ${limits.idempotencyKey.characters} characters`;

/** An idempotency key of the first generation (interface 1.5). The prefix `ingest:` is reserved for the service. */
export const idempotencyKey = z
  .string()
  .min(1, KEY_LENGTH)
  .refine((text) => Array.from(text).length <= limits.idempotencyKey.characters, KEY_LENGTH)
  .refine((text) => !text.startsWith("ingest:"), "must not start with ingest:")
  .meta({
    description: "Must not start with ingest:. The same in every repeat of one request",
    maxLength: limits.idempotencyKey.characters,
    pattern: "^(?!ingest:)",
  });

const TOKEN_FORM = `1 to ${limits.clientToken.characters} printable ASCII characters`;

/**
 * An idempotency key of the second generation (interface T.7). `what` names the object that each new one creates, such
 * as an order.
 */
export const clientTokenOf = (what: string) =>
  z
    .string()
    .regex(new RegExp(`^[\\x20-\\x7e]{1,${limits.clientToken.characters}}$`), `must be ${TOKEN_FORM}`)
    .describe(`Idempotency token: new for each ${what}, the same in every repeat of it. ${TOKEN_FORM}`);

/** Result fields of all link creations (interface L.1). */
export const shortLink = {
  short_url: z.string().describe("The address of the checkout: give it to customers. The longer address behind it is not shown"),
  short_url_id: z.string(),
};

export const signingSecret = {
  secret_status: z.enum(["issued", "returned"]).describe("issued if this request created the secret"),
  signing_secret: z.string().describe("The current secret, whsec_live_… or whsec_test_…: store it as a secret"),
};

/** The repeat flag: `duplicate` in the second generation, `is_replay` in the first. */
export const isRepeat = z.boolean().describe("Whether this is the result of an earlier identical request");

/** Checks that a cart lists each product once. `field` is the field with the product id. */
export function refuseRepeated<Field extends string>(field: Field) {
  return (items: readonly Readonly<Record<Field, string | number>>[], context: z.RefinementCtx): void => {
    const seen = new Set<string | number>();
    for (const [index, { [field]: product }] of items.entries()) {
      if (seen.has(product)) {
        context.addIssue({ code: "custom", path: [index, field], message: `${product} is in the cart twice; use quantity instead` });
      }
      seen.add(product);
    }
  };
}
