import Stripe from "stripe";
import type { CallBudget } from "../core/call-budget.ts";
import { SECOND } from "../core/clock.ts";
import { OUTAGE, ServiceFailure } from "../core/errors.ts";
import { SandboxMissing, sandboxMissing } from "../core/fetch-sandbox.ts";
import { redactText } from "../core/redact.ts";
import { backoff, MIN_ATTEMPT_TIME, waitBeforeRetry } from "../core/retry.ts";
import { type ReportMisfit, reportMisfits } from "./misfits.ts";
import { FinalKeyFailure } from "./next-key.ts";
import type { ProcessorCall } from "./port.ts";

/** Timeout of one attempt, in milliseconds. It is shorter if the deadline comes first. */
const ATTEMPT_TIMEOUT = 10 * SECOND;
/**
 * The maximum number of attempts of a read during an outage. Its caller tries again later, and other work waits behind
 * it.
 */
export const MAX_READ_ATTEMPTS = 4;

type StripeError = InstanceType<typeof Stripe.errors.StripeError>;

/**
 * How a call without a result ended. `unanswered`: no answer in time, or the first call with the key is still in
 * progress. `outage`: connection lost, 5xx or 429. `settled`: a retry with this key cannot help and does not show what
 * its first call did: a stored 500 is replayed, the key was used with other parameters, our own credentials were
 * refused, or a later request was refused. `refused`: the processor rejected the request, and did nothing.
 */
type UpstreamFailureKind = "unanswered" | "outage" | "settled" | "refused";

/**
 * Calls the processor until it gives a final answer or the deadline passes. Transient failures are retried with the
 * same key. The delay doubles up to a limit, has jitter, and is never shorter than a `Retry-After`. The calls of an
 * operation are retried as long as its deadline allows, since giving up would leave its outcome unknown. `maxAttempts`
 * limits the attempts during an outage, for calls that are repeated later anyway. The retries are here because the
 * client library does not retry a 429.
 * @throws ServiceFailure `upstream_timeout` or `upstream_failed`, with `sideEffects` = `unknown` if something may have
 * been done despite the failure. An error that is not an answer of the processor (our own fault) is rethrown unchanged.
 */
export async function callProcessor<Result>(
  budget: CallBudget,
  send: (timeout: number) => Promise<Result>,
  maxAttempts = Number.POSITIVE_INFINITY,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    // Nothing was sent now. An earlier run, or another key of this run, may have sent the call, so its outcome stays
    // unknown.
    if (!(await budget.waitForSlot()) || budget.remaining() < MIN_ATTEMPT_TIME) throw timedOut();
    try {
      return await withoutStack(() => send(Math.min(ATTEMPT_TIMEOUT, budget.remaining())));
    } catch (thrown) {
      if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
      if (thrown.detail instanceof SandboxMissing) throw sandboxMissing("processor", thrown.detail);
      const failureKind = failureKindOf(thrown);
      const isRetryable = failureKind === "unanswered" || (failureKind === "outage" && tries < maxAttempts);
      const pause = Math.max(backoff(tries), retryAfter(thrown));
      if (isRetryable && (await waitBeforeRetry(budget, pause))) continue;
      throw failureKind === "unanswered" ? timedOut(thrown) : failed(thrown, failureKind);
    }
  }
}

/**
 * {@link callProcessor} under an idempotency key. A refusal shows that the refused request did nothing. If the same call was
 * sent before, it does not show what that request did, unless the processor replays the first outcome of the key.
 * @throws ServiceFailure as {@link callProcessor} does, with `sideEffects` = `unknown` for a refusal after an earlier request.
 */
export async function callWithKey<Result>(
  { key: idempotencyKey, budget, wasSent }: ProcessorCall,
  send: (options: { idempotencyKey: string; timeout: number }) => Promise<Result>,
): Promise<Result> {
  let requests = wasSent ? 1 : 0;
  try {
    return await callProcessor(budget, (timeout) => {
      requests += 1;
      return send({ idempotencyKey, timeout });
    });
  } catch (thrown) {
    const cause = thrown instanceof ServiceFailure && thrown.sideEffects === "none" ? thrown.cause : null;
    if (requests > 1 && cause instanceof Stripe.errors.StripeError && !isReplayed(cause)) throw failed(cause, "settled");
    throw thrown;
  }
}

/** Sends without a stack trace: the client library captures one for every call, and no log shows it. */
function withoutStack<Result>(send: () => Promise<Result>): Promise<Result> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return send();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Sends a read-only request to the processor. All requests of one refresh share its deadline. */
export type ReadCall = <Result>(send: (options: { timeout: number }) => Promise<Result>) => Promise<Result>;

/** The client, and its calls within the deadline of one look-up. */
export interface Reader {
  readonly stripe: Stripe;
  readonly ask: ReadCall;
}

/** {@link callProcessor} for the reads of one refresh. An answer that does not fit its shape is reported. */
export function readCallsUntil(budget: CallBudget, report: ReportMisfit): ReadCall {
  return async (send) => {
    const answer = await callProcessor(budget, (timeout) => send({ timeout }), MAX_READ_ATTEMPTS);
    reportMisfits(report, answer);
    return answer;
  };
}

/** The result of a request; null if the processor denies access to the object, or the object does not exist. */
export async function nullIfRefused<Result>(asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (thrown) {
    const isRefused = thrown instanceof FinalKeyFailure || (thrown instanceof ServiceFailure && thrown.sideEffects === "none");
    if (isRefused) return null;
    throw thrown;
  }
}

/** Whether a call failed because its object does not exist. For a deactivation, that counts as success. */
export function isMissing(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Stripe.errors.StripeInvalidRequestError && cause.statusCode === 404;
}

/** Whether a list was refused because the object at which it should start does not exist. */
export function isWithoutBeginning(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Stripe.errors.StripeInvalidRequestError && cause.code === "resource_missing" && cause.param === "ending_before";
}

/** An API key of the other environment would sell test products for real money. */
export function requireEnvironment(made: { readonly livemode: boolean }, livemode: boolean): void {
  if (made.livemode !== livemode) throw new Error("the processor created this in the other environment: the API keys are swapped");
}

function failureKindOf(error: StripeError): UpstreamFailureKind {
  if (error instanceof Stripe.errors.StripeConnectionError) return /timeout/i.test(error.message) ? "unanswered" : "outage";
  if (error.code === "idempotency_key_in_use") return "unanswered";
  const status = error.statusCode ?? 0;
  if (error instanceof Stripe.errors.StripeIdempotencyError || status === 401 || status === 403) return "settled";
  if (status >= 400 && status < 500 && status !== 429) return "refused";
  return isReplayed(error) ? "settled" : "outage";
}

/** Whether the answer is the stored outcome of the first request with the key. */
function isReplayed(error: StripeError): boolean {
  return error.headers?.["idempotent-replayed"] === "true";
}

/** The `Retry-After` of the processor in milliseconds; 0 if there is none. */
function retryAfter(error: StripeError): number {
  const seconds = Number(error.headers?.["retry-after"] ?? 0);
  return seconds > 0 ? seconds * SECOND : 0;
}

function timedOut(cause?: unknown): ServiceFailure {
  return new ServiceFailure({ kind: "upstream_timeout", upstream: "processor" }, { sideEffects: "unknown", cause });
}

/**
 * The error as the caller may see it. If the processor refused the request, it contains the processor's message,
 * because our partner can fix the request. All other failures show no details (interface E.9).
 */
function failed(error: StripeError, failureKind: UpstreamFailureKind): ServiceFailure {
  const isExposable = failureKind === "refused";
  const Failure = failureKind === "settled" ? FinalKeyFailure : ServiceFailure;
  return new Failure(
    {
      kind: "upstream_failed",
      upstream: "processor",
      code: isExposable ? (error.code ?? error.type) : null,
      message: isExposable ? redactText(error.message) : `the card processor ${OUTAGE}`,
    },
    { sideEffects: isExposable ? "none" : "unknown", cause: error },
  );
}
