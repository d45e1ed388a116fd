import { OUTAGE } from "../core/errors.ts";
import type { confirmationCodes } from "./mcp/confirm.ts";
import type { V1Code } from "./v1/errors.ts";
import type { V2Code } from "./v2/errors.ts";

/** What to correct after a failure, and what a repeat does. Sentences. */
interface Cure {
  readonly cure: string;
  readonly repeat: string;
  /**
   * The same for programs: a repeat as it is may succeed (`now`), or needs a new key (`new_token`), or first a correction of the request,
   * the key or the products (`corrected`).
   */
  readonly repeatable: "now" | "new_token" | "corrected";
}

/** Every code that a partner may get. One without a cure does not compile. */
type Code = V1Code | V2Code | (typeof confirmationCodes)[number];

/**
 * What to do after a failure, and whether and how to repeat, by error code. Agents get it with the result. The texts
 * are those of docs/errors.md; a test compares them.
 */
export const cures: Readonly<Record<Code, Cure>> = {
  INVALID_INPUT: {
    cure: "Correct the field that details names.",
    repeat: "After the correction, with the same token. The failed request did not use the token.",
    repeatable: "corrected",
  },
  AUTH_REQUIRED: { cure: "Send the key in this header.", repeat: "With the key, and the same token.", repeatable: "corrected" },
  INVALID_API_KEY: {
    cure: "Check the key; ask your account manager.",
    repeat: "With a valid key, and the same token.",
    repeatable: "corrected",
  },
  PERMISSION_DENIED: {
    cure: "Ask for this permission, or use another key.",
    repeat: "After you have the permission, with the same token.",
    repeatable: "corrected",
  },
  PRODUCT_NOT_FOUND: {
    cure: "Check the product id; details names the item.",
    repeat: "After the correction, with the same token.",
    repeatable: "corrected",
  },
  PRODUCT_NOT_APPROVED: {
    cure: "Wait for the approval, or sell without this product.",
    repeat: "After the approval, with the same token.",
    repeatable: "corrected",
  },
  CROSS_TENANT_ATTEMPT: { cure: "Use your own products.", repeat: "After the correction, with the same token.", repeatable: "corrected" },
  CONFIRMATION_REQUIRED: {
    cure: "Give the person the link of the message. They confirm it with their passkey.",
    repeat: "With the same arguments and the same token, after the person has confirmed it. It is carried out once.",
    repeatable: "now",
  },
  CONFIRMATION_REFUSED: {
    cure: "Ask the person why, and what they want instead.",
    repeat: "With a new token, if the person asks for it.",
    repeatable: "new_token",
  },
  CONFIRMATION_EXPIRED: {
    cure: "Ask the person whether it is still wanted.",
    repeat: "With a new token: then a person is asked again.",
    repeatable: "new_token",
  },
  PAYMENT_NOT_FOUND: {
    cure: "Check the payment id; a new payment appears after a few seconds.",
    repeat: "As often as you like: the operation is read-only.",
    repeatable: "corrected",
  },
  IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD: {
    cure: "Find out why two orders share one token. Two orders must never share a token.",
    repeat: "With a new token, if this is a new order. The result of the first request remains stored with the old token.",
    repeatable: "new_token",
  },
  PREVIOUS_ATTEMPT_FAILED: { cure: "No change is needed.", repeat: "With a new token.", repeatable: "new_token" },
  OPERATION_IN_PROGRESS: {
    cure: "Wait a second or two.",
    repeat: "With the same token. Another token would create a second link.",
    repeatable: "now",
  },
  SHORT_URL_UNAVAILABLE: {
    cure: "No change is needed.",
    repeat: "With the same token: only the short link is created again.",
    repeatable: "now",
  },
  INTEGRATION_TIMEOUT: {
    cure: "No change is needed. If the link was created despite the timeout, no customer has received its address. A ruble payment is cancelled.",
    repeat: "With a new token. For a ruble payment, the old token also works.",
    repeatable: "new_token",
  },
  INTEGRATION_UPSTREAM_ERROR: {
    cure: "Correct what the message names.",
    repeat: "With a new token. For a ruble payment, the old token also works.",
    repeatable: "new_token",
  },
  INTERNAL_ERROR: {
    cure: "You cannot correct this error. If it persists, or if the message names a product, give the request id to support.",
    repeat: "With the same token: the service resumes the interrupted operation.",
    repeatable: "now",
  },
  invalid_input: {
    cure: "Correct what the message names.",
    repeat: "After the correction, with the same key. The failed request did not use the key.",
    repeatable: "corrected",
  },
  unauthorized: {
    cure: "Check the key; ask your account manager.",
    repeat: "With a valid key, and the same idempotency_key.",
    repeatable: "corrected",
  },
  forbidden: {
    cure: "Ask for this permission, or use another key.",
    repeat: "After you have the permission, with the same key.",
    repeatable: "corrected",
  },
  product_not_found: { cure: "Check the product id.", repeat: "After the correction, with the same key.", repeatable: "corrected" },
  product_not_approved: { cure: "Wait for the approval.", repeat: "After the approval, with the same key.", repeatable: "corrected" },
  product_data_corrupt: {
    cure: "Contact support.",
    repeat: "After support has corrected the data, with the same key.",
    repeatable: "corrected",
  },
  mixed_environment: {
    cure: "Create one code for live and one code for test.",
    repeat: "After the correction, with the same key.",
    repeatable: "corrected",
  },
  code_already_exists: {
    cure: "Choose another text, or wait until this text is free.",
    repeat: "With a new key. With the old key, you may try the same text again five times; after that, the failure is final.",
    repeatable: "new_token",
  },
  idempotency_conflict: {
    cure: "Find out why two requests share one key. If the currency must not change, send currency.",
    repeat: "With a new key.",
    repeatable: "new_token",
  },
  short_url_unavailable: {
    cure: "Support completes the link manually.",
    repeat: "With the same key, later: then you get the link. Until then, a repeat makes no upstream calls.",
    repeatable: "corrected",
  },
  stripe_error: {
    cure: "Correct what the message names, if it names anything.",
    repeat:
      "With the same key: the retry resumes from the objects that already exist. After six consecutive failures that are the same, the failure is final, and the message says so: then use a new key.",
    repeatable: "now",
  },
  internal_error: {
    cure: "You cannot correct this error. If it persists, give the request id to support.",
    repeat:
      "With the same key: the retry resumes from the objects that already exist. After six consecutive failures the failure is final, and the message says so: then use a new key.",
    repeatable: "now",
  },
};

/** The codes of an upstream that refused, or that did not answer. Only the message says which. */
const OF_UPSTREAM: ReadonlySet<string> = new Set(["INTEGRATION_UPSTREAM_ERROR", "stripe_error"]);
const NO_ANSWER = [OUTAGE, "did not answer in time"];

/** The cure of an answer: where the processor or the bank is down, there is nothing to correct. Undefined for an unknown code. */
export function cureOf(code: string, message: string | null): Cure | undefined {
  const known = (cures as Readonly<Partial<Record<string, Cure>>>)[code];
  if (known === undefined || !OF_UPSTREAM.has(code) || !NO_ANSWER.some((words) => message?.includes(words))) return known;
  return { ...known, cure: "No change is needed: the processor or the bank does not answer. Wait a few minutes." };
}
