import { HOUR } from "../core/clock.ts";
import type { ServiceError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { AfterFailure, Decision, FailedAttempt, KeySituation, VersionProtocol } from "./protocol.ts";

/**
 * The replay window of a result, in milliseconds after completion (interface F.4). After it, the same request creates a
 * new one.
 */
const WINDOW = limits.replay.hours * HOUR;

/** Allowed failures in a row with the same error. The next such failure makes the key terminal (interface F.6). */
const FAILURES_ALLOWED = limits.failedAttempts.count;

/**
 * The state table of `idempotency_key` (interface F.1, F.2, F.3, F.5, F.7, F.9, F.11). A different payload is a
 * conflict in any state and at any age. A request that arrives during a run shares its outcome. A failure is retried
 * until the key is terminal. A link without its short link must be completed manually: a repeated request gets the same
 * error and does nothing.
 */
export function decideByKey(situation: KeySituation): Decision {
  if (situation.stored === "none" && !situation.live) return "start";
  if (!situation.samePayload) return "refuse_different_payload";
  if (situation.live) return "join";
  switch (situation.stored) {
    case "none":
      return "start";
    case "running":
      return situation.manual ? "refuse_in_progress" : "resume";
    case "completed":
      return situation.expired && !situation.manual ? "start_over" : "replay";
    case "failed":
      if (situation.manual) return "repeat_failure";
      return situation.resumable ? "resume" : "start_over";
    case "failed_terminal":
      return "repeat_failure";
    case "awaiting_short_link":
      return situation.manual ? "resume" : "repeat_failure";
  }
}

/**
 * Counts failures in a row with the same error. A different error restarts the count. A link without its short link
 * waits for support (interface F.8).
 */
export function afterFailure({ error, previous, failures }: FailedAttempt): AfterFailure {
  const inARow = previous !== null && isSameError(error, previous) ? failures + 1 : 1;
  if (error.kind === "short_link_unavailable") return { state: "awaiting_short_link", failures: inARow };
  return { state: inARow > FAILURES_ALLOWED ? "failed_terminal" : "failed", failures: inARow };
}

/** Compares the error kind. For upstream failures it also compares the upstream code; a timeout has no code. */
function isSameError(one: ServiceError, other: ServiceError): boolean {
  return signatureOf(one) === signatureOf(other);
}

function signatureOf(error: ServiceError): string {
  if (error.kind === "upstream_timeout") return `upstream ${error.upstream}`;
  if (error.kind === "upstream_failed") return `upstream ${error.upstream} ${error.code ?? ""}`.trim();
  return error.kind;
}

const protocol = { replayWindow: WINDOW, whileUsable: false, whileOtherRuns: "wait", decide: decideByKey, afterFailure } as const;

/** The first generation uses one protocol for all keys. */
export const v1Protocol: VersionProtocol = { name: "v1", forKey: () => protocol };
