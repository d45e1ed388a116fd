import type { Context, Handler } from "hono";
import { type OperationError, type ServiceError, ServiceFailure, toServiceError } from "../core/errors.ts";
import { errorFields } from "../core/log.ts";
import type { Settings } from "../core/settings.ts";
import { annotateTrace } from "../core/trace.ts";
import { CallerGone } from "./body.ts";
import type { AppEnv } from "./context.ts";
import type { ApiGeneration, Failure } from "./generation.ts";
import { noteRefusal } from "./refused-requests.ts";

/** A message that sends its reader to support also says how to reach it, if the setting SUPPORT_CONTACT says so. */
export function namingSupport({ supportContact }: Pick<Settings, "supportContact">, message: string): string {
  return supportContact !== null && /\bsupport\b/i.test(message) ? `${message} Support: ${supportContact}` : message;
}

/**
 * An error response outside any operation (interface G.5): short JSON with the real HTTP status, never HTML and never
 * empty.
 */
export function plainError(
  context: Context<AppEnv>,
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 502 | 503,
  error: string,
): Response {
  return context.json({ success: false, error }, status);
}

/** 429 with the seconds to wait. */
export function tooManyRequests(context: Context<AppEnv>, message: string, retryAfter: number): Response {
  context.header("Retry-After", String(retryAfter));
  return plainError(context, 429, message);
}

/**
 * The answer of an operation to a thrown error, as `answer` builds it. Rate limiting is HTTP 429 in every operation;
 * `limited` builds its body. Logs unexpected errors.
 */
export function answerFailure(
  thrown: unknown,
  context: Context<AppEnv>,
  { answer, limited }: { readonly answer: (error: OperationError) => Response; readonly limited: (message: string) => object },
): Response {
  logUnexpected(thrown, context);
  const error = toServiceError(thrown);
  noteFailure(error);
  if (error.kind !== "rate_limited") return answer(error);
  context.header("Retry-After", String(error.retryAfter));
  return context.json(limited(error.message), 429);
}

/** Errors that only we or an upstream cause. */
const OURS: ReadonlySet<ServiceError["kind"]> = new Set(["internal", "upstream_timeout", "short_link_unavailable", "product_damaged"]);

/** Records the outcome of the request. `code` is the code that the caller gets; without one, the error's kind. */
export function noteFailure(error: ServiceError, code: string = error.kind): void {
  const isOurs = OURS.has(error.kind) || (error.kind === "upstream_failed" && error.code === null);
  annotateTrace({ outcome: isOurs ? "failed" : "refused", code });
}

/**
 * The failure body of an operation. Its code is recorded, and the request is kept for its partner to look at, under the
 * operation's name; null for what is not one of the eleven.
 */
export function operationFailure(
  generation: ApiGeneration,
  error: OperationError,
  context: Context<AppEnv>,
  operation: string | null,
  sent?: unknown,
): Failure {
  const said = generation.toFailure(error, context.get("requestId"));
  const failure = { ...said, error_message: namingSupport(context.get("deps").settings, said.error_message) };
  noteFailure(error, failure.error_code);
  const field = "field" in error ? (error.field ?? null) : null;
  if (operation !== null) noteRefusal(context, { operation, code: failure.error_code, message: failure.error_message, field }, sent);
  return failure;
}

/** 405 with the methods that the path allows. */
export function methodNotAllowed(allow: string): Handler<AppEnv> {
  return (context) => {
    context.header("Allow", allow);
    return plainError(context, 405, `This address only accepts ${allow}.`);
  };
}

/** Logs unexpected errors and upstream failures. Errors that the caller caused are not logged. */
export function logUnexpected(thrown: unknown, context: Context<AppEnv>, at: Readonly<Record<string, string>> = {}): void {
  const isForeseen = thrown instanceof CallerGone || (thrown instanceof ServiceFailure && thrown.cause === undefined);
  if (isForeseen) return;
  const fault = thrown instanceof ServiceFailure ? { kind: thrown.error.kind, ...errorFields(thrown.cause) } : errorFields(thrown);
  context.get("deps").log.error("request failed", { path: context.req.path, ...at, ...fault });
}
