import Stripe from "stripe";
import { SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import { ServiceFailure } from "../core/errors.ts";
import { redact } from "../core/redact.ts";
import { backoff, LEAST_TRY, pausedInTime } from "../core/retry.ts";

/** One try may take this many milliseconds, or what is left of the deadline. */
const TRY_TIMEOUT = 10 * SECOND;
const MOST_TRIES = 4;

/** The key's own outcome is a failure that will not change: whether something was made must be found out otherwise. */
class SettledFailure extends ServiceFailure {}

type StripeError = InstanceType<typeof Stripe.errors.StripeError>;

/**
 * How a call ended that gave no result. `unanswered`: no answer in time, or the first call under the key is still
 * under way. `outage`: connection lost, 5xx or 429. `settled`: trying again under this key cannot help, and tells
 * nothing of what the first call under it did: a stored 500 that is replayed, a key known with other parameters, or
 * our own credentials refused. `refused`: the processor will not do this, and did not.
 */
type Ending = "unanswered" | "outage" | "settled" | "refused";

/**
 * Calls the processor until it answers for good or the deadline comes. Endings that may pass are tried again under
 * the same key, after a pause that doubles, is jittered, and is never shorter than a `Retry-After`; an outage at
 * most {@link MOST_TRIES} times. We do it ourselves because the client library does not repeat a 429.
 * @throws ServiceFailure `upstream_timeout` or `upstream_failed`, which leave `unknown` where something may
 * have been done all the same. What is no answer of the processor at all (a fault of ours) is thrown on as it is.
 */
export async function callProcessor<Result>(deadline: Deadline, send: (timeout: number) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    if (deadline.remaining() < LEAST_TRY) throw timedOut();
    try {
      return await send(Math.min(TRY_TIMEOUT, deadline.remaining()));
    } catch (thrown) {
      if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
      const ending = endingOf(thrown);
      const mayPass = ending === "unanswered" || (ending === "outage" && tries < MOST_TRIES);
      const pause = Math.max(backoff(tries), retryAfter(thrown));
      if (mayPass && (await pausedInTime(deadline, pause))) continue;
      throw ending === "unanswered" ? timedOut(thrown) : failed(thrown, ending);
    }
  }
}

/** Asks the processor for something that changes nothing; all questions of one look share its deadline. */
export type Ask = <Result>(send: (options: { timeout: number }) => Promise<Result>) => Promise<Result>;

/** {@link callProcessor} for the questions of one look. */
export function askUntil(deadline: Deadline): Ask {
  return (send) => callProcessor(deadline, (timeout) => send({ timeout }));
}

/** What was asked for; null where the processor will not show it to us, or says that there is no such thing. */
export async function unlessRefused<Result>(asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (thrown) {
    const isRefused = thrown instanceof SettledFailure || (thrown instanceof ServiceFailure && thrown.leaves === "nothing");
    if (isRefused) return null;
    throw thrown;
  }
}

/** How often a call is made under a new key within one run. */
const MOST_KEYS = 4;

/**
 * Makes the call of `send` until it is answered for good, each time under the next key: for what the processor may
 * have kept a failure of under the last one, once `settle` has shown that nothing came of it. The same pauses as
 * {@link callProcessor}'s, and the same deadline.
 * @param settle finds what came of the call, or makes the next key count; null: make the call again.
 */
export async function callUnderNextKey<Result>(
  deadline: Deadline,
  send: () => Promise<Result>,
  settle: () => Promise<Result | null>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (thrown) {
      if (!(thrown instanceof SettledFailure)) throw thrown;
      const settled = await settle();
      if (settled !== null) return settled;
      if (tries >= MOST_KEYS || !(await pausedInTime(deadline, backoff(tries)))) throw thrown;
    }
  }
}

/** A key of the other environment would sell test products for real money. */
export function requireEnvironment(made: { readonly livemode: boolean }, livemode: boolean): void {
  if (made.livemode !== livemode) throw new Error("the processor made this in the other environment: its keys are mixed up");
}

function endingOf(error: StripeError): Ending {
  if (error instanceof Stripe.errors.StripeConnectionError) return /timeout/i.test(error.message) ? "unanswered" : "outage";
  if (error.code === "idempotency_key_in_use") return "unanswered";
  const status = error.statusCode ?? 0;
  if (error instanceof Stripe.errors.StripeIdempotencyError || status === 401 || status === 403) return "settled";
  if (status >= 400 && status < 500 && status !== 429) return "refused";
  return error.headers?.["idempotent-replayed"] === "true" ? "settled" : "outage";
}

/** Milliseconds that the processor asked us to wait; 0 where it did not. */
function retryAfter(error: StripeError): number {
  const seconds = Number(error.headers?.["retry-after"] ?? 0);
  return seconds > 0 ? seconds * SECOND : 0;
}

function timedOut(cause?: unknown): ServiceFailure {
  return new ServiceFailure({ kind: "upstream_timeout", upstream: "processor" }, { leaves: "unknown", cause });
}

/**
 * What the caller may know of it: the processor's own sentence where it refused the request, which is our partner's
 * to mend, and nothing more of anything else.
 */
function failed(error: StripeError, ending: Ending): ServiceFailure {
  const tellable = ending === "refused";
  const Failure = ending === "settled" ? SettledFailure : ServiceFailure;
  return new Failure(
    {
      kind: "upstream_failed",
      upstream: "processor",
      code: tellable ? (error.code ?? error.type) : null,
      message: tellable ? redact(error.message) : "the card processor could not be reached or is out of order",
    },
    { leaves: tellable ? "nothing" : "unknown", cause: error },
  );
}
