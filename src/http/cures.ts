/**
 * What to do after a failure, and whether and how to repeat, by error code. Agents get it with the result. The texts
 * are those of docs/errors.md; a test compares them.
 */
export const cures: Readonly<Record<string, string>> = {
  INVALID_INPUT:
    "Cure: correct the field that details names. Repeat: after the correction, with the same token. The failed request did not use the token.",
  AUTH_REQUIRED: "Cure: send the key in this header. Repeat: with the key, and the same token.",
  INVALID_API_KEY: "Cure: check the key; ask your account manager. Repeat: with a valid key, and the same token.",
  PERMISSION_DENIED: "Cure: ask for this permission, or use another key. Repeat: after you have the permission, with the same token.",
  PRODUCT_NOT_FOUND: "Cure: check the product id; details names the item. Repeat: after the correction, with the same token.",
  PRODUCT_NOT_APPROVED: "Cure: wait for the approval, or sell without this product. Repeat: after the approval, with the same token.",
  CROSS_TENANT_ATTEMPT: "Cure: use your own products. Repeat: after the correction, with the same token.",
  PAYMENT_NOT_FOUND:
    "Cure: check the payment id; a new payment appears after a few seconds. Repeat: as often as you like: the operation is read-only.",
  IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD:
    "Cure: find out why two orders share one token. Two orders must never share a token. Repeat: with a new token, if this is a new order. The result of the first request remains stored with the old token.",
  PREVIOUS_ATTEMPT_FAILED: "Cure: no change is needed. Repeat: with a new token.",
  OPERATION_IN_PROGRESS: "Cure: wait a second or two. Repeat: with the same token. Another token would create a second link.",
  SHORT_URL_UNAVAILABLE: "Cure: no change is needed. Repeat: with the same token: only the short link is created again.",
  INTEGRATION_TIMEOUT:
    "Cure: no change is needed. If the link was created despite the timeout, no customer has received its address. A ruble payment is cancelled. Repeat: with a new token. For a ruble payment, the old token also works.",
  INTEGRATION_UPSTREAM_ERROR:
    "Cure: correct what the message names. Repeat: with a new token. For a ruble payment, the old token also works.",
  INTERNAL_ERROR:
    "Cure: you cannot correct this error. If it persists, or if the message names a product, give the request id to support. Repeat: with the same token: the service resumes the interrupted operation.",
  invalid_input:
    "Cure: correct what the message names. Repeat: after the correction, with the same key. The failed request did not use the key.",
  unauthorized: "Cure: check the key; ask your account manager. Repeat: with a valid key, and the same idempotency_key.",
  forbidden: "Cure: ask for this permission, or use another key. Repeat: after you have the permission, with the same key.",
  product_not_found: "Cure: check the product id. Repeat: after the correction, with the same key.",
  product_not_approved: "Cure: wait for the approval. Repeat: after the approval, with the same key.",
  product_data_corrupt: "Cure: contact support. Repeat: after support has corrected the data, with the same key.",
  mixed_environment: "Cure: create one code for live and one code for test. Repeat: after the correction, with the same key.",
  code_already_exists:
    "Cure: choose another text, or wait until this text is free. Repeat: with a new key. With the old key, you may try the same text again five times; after that, the failure is final.",
  idempotency_conflict:
    "Cure: find out why two requests share one key. If the currency must not change, send currency. Repeat: with a new key.",
  short_url_unavailable:
    "Cure: support completes the link manually. Repeat: with the same key, later: then you get the link. Until then, a repeat makes no upstream calls.",
  stripe_error:
    "Cure: correct what the message names, if it names anything. Repeat: with the same key: the retry resumes from the objects that already exist. After six consecutive failures that are the same, the failure is final, and the message says so: then use a new key.",
  internal_error:
    "Cure: you cannot correct this error. If it persists, give the request id to support. Repeat: with the same key: the retry resumes from the objects that already exist. After six consecutive failures the failure is final, and the message says so: then use a new key.",
};
