import * as z from "zod";
import type { CallBudget } from "../core/call-budget.ts";
import { SECOND } from "../core/clock.ts";
import { OUTAGE, ServiceFailure } from "../core/errors.ts";
import { SandboxMissing, sandboxMissing } from "../core/fetch-sandbox.ts";
import { parseKeepingLargeNumbers } from "../core/json.ts";
import { redactText } from "../core/redact.ts";
import { backoff, MIN_ATTEMPT_TIME, waitBeforeRetry } from "../core/retry.ts";

/** The fields that every response of the bank has. */
const outcomeSchema = z.looseObject({
  Success: z.boolean(),
  ErrorCode: z.union([z.string(), z.number()]).transform(String),
  Message: z.string().nullish(),
  Details: z.string().nullish(),
});

/** A response that refuses the request, with the bank's error code. */
class BankRefusal extends Error {
  override readonly name = "BankRefusal";
  readonly code: string;
  readonly text: string;

  constructor(code: string, text: string) {
    super(`the bank answered ${code}: ${text}`);
    this.code = code;
    this.text = text;
  }
}

/** No usable response: it is unknown whether the bank executed the request. */
class NoUsableResponse extends Error {
  override readonly name = "NoUsableResponse";
  readonly late: boolean;

  constructor(text: string, late: boolean, options: { cause?: unknown } = {}) {
    super(text, options);
    this.late = late;
  }
}

/**
 * Error codes ("Коды ошибок" in the bank's documentation) about the bank itself or about our account with it, not about
 * the request. `TRANSIENT_CODES` may be temporary, and the bank may have executed the request. With `MERCHANT_ACCOUNT_CODES` (wrong
 * credentials), the bank executed nothing.
 */
const TRANSIENT_CODES = new Set("3 21 99 100 120 123 125 401 402 515 903 999 1096 3040 7999 9001 9999".split(" "));
const MERCHANT_ACCOUNT_CODES = new Set("191 202 204 205 322 331 501 648 702 1003".split(" "));
/** The order id was used before, or the payment's state no longer allows the request. */
const CONFLICT_CODES = new Set("8 20 623".split(" "));

/** The deadline, timeout and retry limit of a call. */
export interface CallLimits {
  readonly budget: CallBudget;
  /** The timeout of one attempt, in milliseconds. */
  readonly attemptTimeout: number;
  readonly maxAttempts: number;
}

const QUESTION = { attemptTimeout: 5 * SECOND, maxAttempts: 3 };

/** Call options for a read, which is safe to retry. */
export function asking(budget: CallBudget): CallLimits {
  return { budget, ...QUESTION };
}

/**
 * Sends a message to the bank and returns the response parsed by `schema`. Temporary failures are retried, up to
 * `maxAttempts` attempts and within the deadline.
 * @throws ServiceFailure `upstream_failed`, `upstream_timeout`; see {@link isRefusal}.
 */
export async function callBank<Answer>(
  send: (signal: AbortSignal) => Promise<Response>,
  schema: z.ZodType<Answer>,
  { budget, attemptTimeout, maxAttempts }: CallLimits,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    if (budget.remaining() < MIN_ATTEMPT_TIME) throw toFailure(new NoUsableResponse("not enough time is left for a bank call", true));
    try {
      return read(await answerOf(send, Math.min(attemptTimeout, budget.remaining())), schema);
    } catch (thrown) {
      const isRetryable = thrown instanceof NoUsableResponse || (thrown instanceof BankRefusal && TRANSIENT_CODES.has(thrown.code));
      if (isRetryable && tries < maxAttempts && (await waitBeforeRetry(budget, backoff(tries)))) continue;
      throw toFailure(thrown);
    }
  }
}

async function answerOf(send: (signal: AbortSignal) => Promise<Response>, timeout: number): Promise<unknown> {
  const limits = new AbortController();
  const timer = setTimeout(() => limits.abort(), timeout);
  try {
    const response = await send(limits.signal);
    const text = await response.text();
    if (response.status !== 200) throw new NoUsableResponse(`the bank answered HTTP ${response.status}`, false);
    return parseKeepingLargeNumbers(text);
  } catch (cause) {
    if (cause instanceof NoUsableResponse || cause instanceof SandboxMissing) throw cause;
    const late = limits.signal.aborted;
    throw new NoUsableResponse(late ? "the bank did not answer in time" : "the bank's response could not be read", late, { cause });
  } finally {
    clearTimeout(timer);
  }
}

function read<Answer>(answer: unknown, schema: z.ZodType<Answer>): Answer {
  const outcome = outcomeSchema.safeParse(answer);
  if (!outcome.success) throw new NoUsableResponse("the bank's response does not match the documented schema", false);
  const { Success, ErrorCode, Message, Details } = outcome.data;
  if (!Success || ErrorCode !== "0") {
    const texts = new Set([Message, Details].filter((text) => text != null && text !== ""));
    throw new BankRefusal(ErrorCode, [...texts].join(": ") || "no reason given");
  }
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new NoUsableResponse(`the bank's response is incomplete: ${z.prettifyError(parsed.error)}`, false);
  return parsed.data;
}

/** Whether a call failed because the bank answered with one of these error codes. */
export function isRefusal(thrown: unknown, codes: ReadonlySet<string>): boolean {
  return thrown instanceof ServiceFailure && thrown.cause instanceof BankRefusal && codes.has(thrown.cause.code);
}

/**
 * Converts a failed call to the failure for the caller. The bank's message is included only if the bank refused the
 * request. Other failures show no details.
 */
function toFailure(thrown: unknown): unknown {
  if (thrown instanceof SandboxMissing) return sandboxMissing("bank", thrown);
  if (thrown instanceof NoUsableResponse) {
    if (thrown.late) return new ServiceFailure({ kind: "upstream_timeout", upstream: "bank" }, { sideEffects: "unknown", cause: thrown });
    return bankUnavailable("unknown", thrown);
  }
  if (!(thrown instanceof BankRefusal)) return thrown;
  if (TRANSIENT_CODES.has(thrown.code)) return bankUnavailable("unknown", thrown);
  if (MERCHANT_ACCOUNT_CODES.has(thrown.code)) return bankUnavailable("none", thrown);
  const sideEffects = CONFLICT_CODES.has(thrown.code) ? "unknown" : "none";
  const message = redactText(thrown.text);
  return new ServiceFailure({ kind: "upstream_failed", upstream: "bank", code: thrown.code, message }, { sideEffects, cause: thrown });
}

/** A bank failure that only we or the bank can fix. */
export function bankUnavailable(sideEffects: "none" | "unknown", cause: Error): ServiceFailure {
  const message = `the bank ${OUTAGE}`;
  return new ServiceFailure({ kind: "upstream_failed", upstream: "bank", code: null, message }, { sideEffects, cause });
}
