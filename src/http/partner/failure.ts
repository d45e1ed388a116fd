import type { Context } from "hono";
import { type OperationError, type ServiceError, ServiceFailure, toServiceError } from "../../core/errors.ts";
import { isPartnerMovedError } from "../../core/partner-moved.ts";
import { annotateTrace } from "../../core/trace.ts";
import { CallRefusal } from "../calls/refusal.ts";
import type { AppEnv } from "../context.ts";
import { logUnexpected, namingSupport, noteFailure } from "../error-response.ts";
import type { ApiGeneration } from "../generation.ts";
import { toV2Failure, v2CodeOf } from "../v2/errors.ts";
import { type PartnerCode, REFUSALS } from "./codes.ts";

/** The HTTP status of each kind of error. The compiler checks that the table is complete. */
const STATUSES = {
  invalid_input: 400,
  key_missing: 401,
  key_invalid: 401,
  query_key_missing: 401,
  permission_missing: 403,
  environment_missing: 403,
  product_not_found: 404,
  product_of_another_partner: 404,
  product_not_approved: 409,
  product_damaged: 500,
  mixed_environment: 400,
  code_already_exists: 409,
  subscription_not_known: 404,
  subscription_of_another_partner: 404,
  subscription_not_active: 409,
  subscription_not_changeable: 409,
  payment_not_found: 404,
  key_reused_with_different_payload: 409,
  operation_in_progress: 409,
  previous_attempt_failed: 409,
  short_link_unavailable: 502,
  upstream_timeout: 502,
  upstream_failed: 502,
  internal: 500,
} as const satisfies Record<OperationError["kind"], number>;

/** The body of a refused call: that of the second generation, with a few codes more. */
interface PartnerFailure {
  readonly success: false;
  readonly error_code: PartnerCode;
  readonly error_message: string;
  readonly details?: { readonly field: string };
}

/** A failed operation that a person called: its generation says what to do, since the key is its own. */
export class OperationFailure extends ServiceFailure {
  readonly generation: ApiGeneration;

  constructor(failure: ServiceFailure, generation: ApiGeneration) {
    super(failure.error, { sideEffects: failure.sideEffects, cause: failure.cause });
    this.generation = generation;
  }
}

/** The answer to a partner for a failed call, with its real HTTP status. */
export function answerPartnerFailure(thrown: unknown, context: Context<AppEnv>): Response {
  if (thrown instanceof CallRefusal) return refuse(context, thrown.status, thrown.message, thrown.code ?? REFUSALS[thrown.status]);
  if (isPartnerMovedError(thrown)) return refuse(context, 409, "Your data is being moved, which takes seconds. Try again.");
  logUnexpected(thrown, context);
  const error: ServiceError = toServiceError(thrown);
  if (error.kind !== "rate_limited") {
    const said = failureOf(error, context.get("requestId"), thrown instanceof OperationFailure ? thrown.generation : null);
    const failure = { ...said, error_message: namingSupport(context.get("deps").settings, said.error_message) };
    noteFailure(error, failure.error_code);
    return context.json(failure, STATUSES[lastingKind(error)]);
  }
  noteFailure(error);
  context.header("Retry-After", String(error.retryAfter));
  const limited: PartnerFailure = { success: false, error_code: "RATE_LIMITED", error_message: error.message };
  return context.json(limited, 429);
}

/** The kind of an error. A key whose every repeat would fail so has failed for good. */
const lastingKind = (error: OperationError): OperationError["kind"] =>
  "terminal" in error && error.terminal === true ? "previous_attempt_failed" : error.kind;

/**
 * The failure body of the second generation, with the message of the operation's own. After a failure of ours, a repeat of a call that is
 * no operation could do its work twice.
 */
function failureOf(error: OperationError, requestId: string, generation: ApiGeneration | null): PartnerFailure {
  const failure = toV2Failure(error, requestId);
  if (generation !== null)
    return { ...failure, error_code: v2CodeOf(lastingKind(error)), error_message: generation.toFailure(error, requestId).error_message };
  if (error.kind !== "internal") return failure;
  const message = `Something failed on our side, perhaps after the call was carried out. Look before you repeat it. Quote ${requestId} to support.`;
  return { ...failure, error_message: message };
}

function refuse(
  context: Context<AppEnv>,
  status: keyof typeof REFUSALS,
  message: string,
  code: PartnerFailure["error_code"] = REFUSALS[status],
): Response {
  annotateTrace({ outcome: "refused", code });
  const said = namingSupport(context.get("deps").settings, message);
  const failure: PartnerFailure = { success: false, error_code: code, error_message: said };
  return context.json(failure, status);
}
