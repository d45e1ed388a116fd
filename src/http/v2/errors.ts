import type { OperationError } from "../../core/errors.ts";
import { invalidKey, KEY_HEADER, missingKey, missingPermission } from "../key-messages.ts";

/**
 * Maps every kind of error to this generation's code (interface E.6, E.7, E.8). The compiler checks that the table is
 * complete: a new kind does not build until it has an entry here. The HTTP status is always 200.
 */
const CODES = {
  invalid_input: "INVALID_INPUT",
  key_missing: "AUTH_REQUIRED",
  key_invalid: "INVALID_API_KEY",
  query_key_missing: "INVALID_API_KEY",
  permission_missing: "PERMISSION_DENIED",
  environment_missing: "PERMISSION_DENIED",
  product_not_found: "PRODUCT_NOT_FOUND",
  product_of_another_partner: "CROSS_TENANT_ATTEMPT",
  product_not_approved: "PRODUCT_NOT_APPROVED",
  product_damaged: "INTERNAL_ERROR",
  mixed_environment: "INVALID_INPUT",
  code_already_exists: "INVALID_INPUT",
  subscription_not_known: "INVALID_INPUT",
  subscription_of_another_partner: "INVALID_INPUT",
  subscription_not_active: "INVALID_INPUT",
  subscription_not_changeable: "INVALID_INPUT",
  payment_not_found: "PAYMENT_NOT_FOUND",
  key_reused_with_different_payload: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD",
  operation_in_progress: "OPERATION_IN_PROGRESS",
  previous_attempt_failed: "PREVIOUS_ATTEMPT_FAILED",
  short_link_unavailable: "SHORT_URL_UNAVAILABLE",
  upstream_timeout: "INTEGRATION_TIMEOUT",
  upstream_failed: "INTEGRATION_UPSTREAM_ERROR",
  internal: "INTERNAL_ERROR",
} as const satisfies Record<OperationError["kind"], string>;

export type V2Code = (typeof CODES)[OperationError["kind"]];

export const v2Codes = Object.values(CODES);

/** The failure body of the second generation. */
export interface V2Failure {
  readonly success: false;
  readonly error_code: V2Code;
  readonly error_message: string;
  readonly details?: { readonly field: string };
}

/** The code for a kind of error. */
export function v2CodeOf(kind: OperationError["kind"]): V2Code {
  return CODES[kind];
}

/** Builds the failure body of this generation. Support finds the log lines by `requestId`. */
export function toV2Failure(error: OperationError, requestId: string): V2Failure {
  const failure = { success: false, error_code: CODES[error.kind], error_message: messageOf(error, requestId) } as const;
  return "field" in error && error.field !== undefined ? { ...failure, details: { field: error.field } } : failure;
}

function messageOf(error: OperationError, requestId: string): string {
  switch (error.kind) {
    case "invalid_input":
      return error.message;
    case "key_missing":
      return missingKey(error);
    case "query_key_missing":
      return `No API key was sent${error.isBearer ? ": Authorization: Bearer is not read" : ""}. Send it in the header ${KEY_HEADER}.`;
    case "key_invalid":
      return invalidKey(error);
    case "permission_missing":
      return missingPermission(error);
    case "environment_missing":
      return `This agent only has access to the other environment, not to ${error.environment}.`;
    case "product_not_found":
      return `There is no product ${error.productId}.`;
    case "product_of_another_partner":
      return `The product ${error.productId} belongs to another partner.`;
    case "product_not_approved":
      return `The product ${error.productId} has not been approved by moderation yet.`;
    case "product_damaged":
      return `The catalogue data of the product ${error.productId} is damaged. Support can correct it: quote ${requestId}.`;
    case "mixed_environment":
      return `Live and test products cannot be mixed: ${error.productId} differs from the first one.`;
    case "code_already_exists":
      return `The promotion code ${error.code} is taken.`;
    case "subscription_not_known":
    case "subscription_of_another_partner":
    case "subscription_not_active":
    case "subscription_not_changeable":
      return "You have no such active subscription.";
    case "payment_not_found":
      return "You have no such payment. A new payment may take a moment to appear.";
    case "key_reused_with_different_payload":
      return "This client_token was used before for another request. Use a new token for a new request.";
    case "operation_in_progress":
      return "The first request of this kind, with this client_token or the same content, is still running. Repeat it in a moment.";
    case "previous_attempt_failed":
      return "The first request with this client_token failed. Repeat the request with a new token.";
    case "short_link_unavailable":
      return "The payment link exists, but its short link could not be issued. Repeat the same request: only the short link is created again.";
    case "upstream_timeout":
      return `The ${NAMES[error.upstream]} did not answer in time. Repeat the request with a new client_token.`;
    case "upstream_failed":
      return `The ${NAMES[error.upstream]} did not carry out the request: ${error.message}`;
    case "internal":
      return `Something failed on our side. Repeat the same request; nothing is created twice. Quote ${requestId} to support.`;
  }
}

const NAMES = { processor: "card processor", bank: "bank" } as const;
