import { HOUR } from "../core/clock.ts";
import type { ServiceError } from "../core/errors.ts";
import type { AfterFailure, Decision, FailedAttempt, Generation, Situation } from "./protocol.ts";

/** How long a result is replayed, in milliseconds from completion; afterwards the same request makes a new one. */
const WINDOW = 24 * HOUR;

/** Attempts that may end in the same error; the one that does so after them makes the key terminal. */
const FAILURES_ALLOWED = 5;

/**
 * The table of `idempotency_key` (interface, "Idempotency record of v1 link and promotion-code creation"). A
 * different payload is a conflict in any state and at any age. A request that comes while the first is at work shares
 * its outcome. A failure is tried again until it is terminal. A link without its short link waits for a person: a
 * repeat gets the same error and does nothing.
 */
export function decideByKey(situation: Situation): Decision {
  if (situation.stored === "none" && !situation.live) return "start";
  if (!situation.samePayload) return "refuse_different_payload";
  if (situation.live) return "join";
  switch (situation.stored) {
    case "none":
      return "start";
    case "running":
      return situation.byHand ? "refuse_in_progress" : "resume";
    case "completed":
      return situation.expired && !situation.byHand ? "start_over" : "replay";
    case "failed":
      if (situation.byHand) return "repeat_failure";
      return situation.resumable ? "resume" : "start_over";
    case "failed_terminal":
      return "repeat_failure";
    case "awaiting_short_link":
      return situation.byHand ? "resume" : "repeat_failure";
  }
}

/** Counts failures in a row that are the same error; another error starts the count anew. */
export function afterFailure({ error, previous, failures }: FailedAttempt): AfterFailure {
  const inARow = previous !== null && isSameError(error, previous) ? failures + 1 : 1;
  if (error.kind === "short_link_unavailable") return { state: "awaiting_short_link", failures: inARow };
  return { state: inARow > FAILURES_ALLOWED ? "failed_terminal" : "failed", failures: inARow };
}

/** One error code, and for the processor's failures one code of the processor's. A time-out is a failure without a code. */
function isSameError(one: ServiceError, other: ServiceError): boolean {
  return signatureOf(one) === signatureOf(other);
}

function signatureOf(error: ServiceError): string {
  if (error.kind === "upstream_timeout") return `upstream ${error.upstream}`;
  if (error.kind === "upstream_failed") return `upstream ${error.upstream} ${error.code ?? ""}`.trim();
  return error.kind;
}

const protocol = { replayWindow: WINDOW, whileOtherRuns: "wait", decide: decideByKey, afterFailure } as const;

/** The first generation: one protocol for all of its keys. */
export const firstGeneration: Generation = { name: "v1", protocolOf: () => protocol };
