import type { OperationError } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { invalidKey, KEY_HEADER, missingKey, missingPermission } from "../key-messages.ts";

/**
 * Maps every kind of error to this generation's code (operations 1 and 2) and HTTP status (operations 3 and 4, which
 * have no codes) (interface E.2, E.3, E.4, E.5). A new kind does not compile until it has an entry here.
 */
const ERROR_MAP = {
  invalid_input: { code: "invalid_input", status: 400 },
  key_missing: { code: "unauthorized", status: 401 },
  key_invalid: { code: "unauthorized", status: 401 },
  query_key_missing: { code: "unauthorized", status: 401 },
  permission_missing: { code: "forbidden", status: 403 },
  environment_missing: { code: "forbidden", status: 403 },
  product_not_found: { code: "product_not_found", status: 400 },
  product_of_another_partner: { code: "product_not_found", status: 400 },
  product_not_approved: { code: "product_not_approved", status: 400 },
  product_damaged: { code: "product_data_corrupt", status: 400 },
  mixed_environment: { code: "mixed_environment", status: 400 },
  code_already_exists: { code: "code_already_exists", status: 400 },
  subscription_not_known: { code: "invalid_input", status: 409 },
  subscription_of_another_partner: { code: "invalid_input", status: 403 },
  subscription_not_active: { code: "invalid_input", status: 400 },
  subscription_not_changeable: { code: "invalid_input", status: 400 },
  payment_not_found: { code: "invalid_input", status: 400 },
  key_reused_with_different_payload: { code: "idempotency_conflict", status: 409 },
  operation_in_progress: { code: "internal_error", status: 409 },
  previous_attempt_failed: { code: "internal_error", status: 409 },
  short_link_unavailable: { code: "short_url_unavailable", status: 409 },
  upstream_timeout: { code: "stripe_error", status: 502 },
  upstream_failed: { code: "stripe_error", status: 502 },
  internal: { code: "internal_error", status: 500 },
} as const satisfies Record<OperationError["kind"], { code: string; status: number }>;

export type V1Code = (typeof ERROR_MAP)[OperationError["kind"]]["code"];
type Status = (typeof ERROR_MAP)[OperationError["kind"]]["status"];

/** The failure body of operations 1 and 2 (interface E.1). The HTTP status is always 200. */
export interface V1Failure {
  readonly success: false;
  readonly error_code: V1Code;
  readonly error_message: string;
}

/** The HTTP status of operations 3 and 4 for a kind of error. */
export function statusOf(kind: OperationError["kind"]): Status {
  return ERROR_MAP[kind].status;
}

/** The code of operations 1 and 2 for a kind of error. */
export function v1CodeOf(kind: OperationError["kind"]): V1Code {
  return ERROR_MAP[kind].code;
}

/** Builds the failure body of operations 1 and 2. */
export function toV1Failure(error: OperationError, requestId: string): V1Failure {
  return { success: false, error_code: ERROR_MAP[error.kind].code, error_message: messageOf(error, repeatCreation(error), requestId) };
}

/** Builds the HTTP status and the failure body of operations 3 and 4. */
export function toStatusFailure(error: OperationError, requestId: string): { status: Status; body: { success: false; error: string } } {
  return { status: ERROR_MAP[error.kind].status, body: { success: false, error: messageOf(error, "Try again.", requestId) } };
}

/** What to do about a transient failure of operations 1 and 2. */
function repeatCreation(error: OperationError): string {
  const madeKey = "madeKey" in error ? error.madeKey : undefined;
  if (madeKey === undefined) return "Repeat the same request with the same idempotency_key: nothing is created twice.";
  return `No idempotency_key was sent, and this request got ${madeKey}: repeat the same request with it as idempotency_key, and nothing is created twice. Without it, another link is made.`;
}

/** The client's action when the key is terminal and always repeats this failure. */
const KEY_IS_TERMINAL = `${limits.failedAttempts.count + 1} attempts with this idempotency_key failed with the same error. Use a new key.`;

/** `repeat` says what to do about a transient failure. Support finds the log lines by `requestId`. */
function messageOf(error: OperationError, repeat: string, requestId: string): string {
  switch (error.kind) {
    case "invalid_input":
      return error.message;
    case "key_missing":
      return missingKey(error);
    case "query_key_missing":
      return `No API key was sent. Send it in the header ${KEY_HEADER}.`;
    case "key_invalid":
      return invalidKey(error);
    case "permission_missing":
      return missingPermission(error);
    case "environment_missing":
      return `This agent only has access to the other environment, not to ${error.environment}.`;
    case "product_not_found":
    case "product_of_another_partner":
      return `You have no product ${error.productId}.`;
    case "product_not_approved":
      return `The product ${error.productId} has not been approved by moderation yet.`;
    case "product_damaged":
      return `The catalogue data of the product ${error.productId} is damaged. Support can correct it.`;
    case "mixed_environment":
      return `Live and test products cannot be mixed: ${error.productId} differs from the first one.`;
    case "code_already_exists":
      return `The promotion code ${error.code} is taken. Choose another text.`;
    case "subscription_not_known":
      return "This subscription is not known here yet. If it is new, try again in about a minute.";
    case "subscription_of_another_partner":
      return "This subscription belongs to another account.";
    case "subscription_not_active":
      return "This subscription is no longer active.";
    case "subscription_not_changeable":
      return `This subscription cannot be changed: ${error.message}`;
    case "payment_not_found":
      return "You have no such payment.";
    case "key_reused_with_different_payload":
      return `This idempotency_key was used before for another request${error.withCurrency === true ? ", or the effective currency has changed since" : ""}. Use a new key for a new request.`;
    case "operation_in_progress":
      return "The first request with this idempotency_key is still running. Repeat the same request in a moment.";
    case "previous_attempt_failed":
      return "An earlier request with this idempotency_key failed. Repeat the request with a new key.";
    case "short_link_unavailable":
      return `The payment link exists, but its short link could not be issued. Support completes it manually; the same request${error.madeKey === undefined ? " then gives it to you." : ` with idempotency_key ${error.madeKey} then gives it to you. Without it, another link is made.`}`;
    case "upstream_timeout":
      return `The card processor did not answer in time. ${error.terminal === true ? KEY_IS_TERMINAL : repeat}`;
    case "upstream_failed":
      return `The card processor did not carry out the request: ${error.message}${error.terminal === true ? ` ${KEY_IS_TERMINAL}` : ""}`;
    case "internal":
      return `Something failed on our side. ${error.terminal === true ? KEY_IS_TERMINAL : repeat} Quote ${requestId} to support.`;
  }
}
