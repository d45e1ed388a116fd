import type { ServiceError } from "../../core/errors.ts";

/** The failure body of the second generation (interface, "Errors"). The HTTP status is 200 whatever it says. */
export interface V2Failure {
  readonly success: false;
  readonly error_code: string;
  readonly error_message: string;
  readonly details?: Readonly<Record<string, string>>;
}

/**
 * Every kind of error in this generation's words. The compiler holds the switch to be exhaustive: a new kind does not
 * build until it is said here. `requestId` is what support finds our log lines by.
 */
export function toV2Failure(error: ServiceError, requestId: string): V2Failure {
  switch (error.kind) {
    case "invalid_input":
      return failure("INVALID_INPUT", error.message, error.field);
    case "key_missing":
      return failure("AUTH_REQUIRED", "Send your API key in the header X-Partner-Api-Key.");
    case "key_invalid":
      return failure("INVALID_API_KEY", "The API key is not valid, or its partner account or employee is disabled.");
    case "permission_missing":
      return failure("PERMISSION_DENIED", `The API key lacks the permission ${error.permission}.`);
    case "product_not_found":
      return failure("PRODUCT_NOT_FOUND", `There is no product ${error.productId}.`, error.field);
    case "product_of_another_partner":
      return failure("CROSS_TENANT_ATTEMPT", `The product ${error.productId} belongs to another partner.`, error.field);
    case "product_not_approved":
      return failure("PRODUCT_NOT_APPROVED", `The product ${error.productId} has not been approved by moderation yet.`, error.field);
    case "product_damaged":
      return failure(
        "INTERNAL_ERROR",
        `The catalogue data of the product ${error.productId} is damaged. Support can mend it.`,
        error.field,
      );
    case "mixed_environment":
      return failure(
        "INVALID_INPUT",
        `Live and test products cannot be mixed: ${error.productId} differs from the first one.`,
        error.field,
      );
    case "code_already_exists":
      return failure("INVALID_INPUT", `The promotion code ${error.code} is taken.`);
    case "subscription_not_known":
    case "subscription_of_another_partner":
    case "subscription_not_active":
    case "subscription_not_changeable":
      return failure("INVALID_INPUT", "There is no such active subscription among yours.");
    case "payment_not_found":
      return failure("PAYMENT_NOT_FOUND", "There is no such payment among yours. One that was just made may take a moment to be known.");
    case "key_reused_with_different_payload":
      return failure(
        "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD",
        "This client_token was used before for another request. Use a new token for a new request.",
      );
    case "operation_in_progress":
      return failure(
        "OPERATION_IN_PROGRESS",
        "The first request of this kind, with this client_token or the same content, is still running. Repeat it in a moment.",
      );
    case "previous_attempt_failed":
      return failure("PREVIOUS_ATTEMPT_FAILED", "The first request with this client_token failed. Repeat the request with a new token.");
    case "short_link_unavailable":
      return failure(
        "SHORT_URL_UNAVAILABLE",
        "The payment link exists, but its short link could not be issued. Repeat the same request: only the short link is made anew.",
      );
    case "upstream_timeout":
      return failure(
        "INTEGRATION_TIMEOUT",
        `The ${NAMES[error.upstream]} did not answer in time. Repeat the request with a new client_token.`,
      );
    case "upstream_failed":
      return failure("INTEGRATION_UPSTREAM_ERROR", `The ${NAMES[error.upstream]} did not carry out the request: ${error.message}`);
    case "internal":
      return failure(
        "INTERNAL_ERROR",
        `Something failed on our side. Repeat the same request; nothing is made twice. Quote ${requestId} to support.`,
      );
  }
}

const NAMES = { processor: "card processor", bank: "bank" } as const;

function failure(error_code: string, error_message: string, field?: string): V2Failure {
  return { success: false, error_code, error_message, ...(field === undefined ? {} : { details: { field } }) };
}
