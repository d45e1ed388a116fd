import { HOUR } from "../core/clock.ts";
import { limits } from "../core/limits.ts";
import { isContentKey } from "./key.ts";
import type { AfterFailure, Decision, FailedAttempt, KeySituation, VersionProtocol } from "./protocol.ts";

/** How long a request without a token is deduplicated by its content, in milliseconds after completion (interface T.8). */
const CONTENT_WINDOW = limits.replay.hours * HOUR;

/** The key rules in which operations may differ (interface T.2, T.5). */
export interface Rules {
  readonly whileRunning: "refuse" | "join";
  readonly afterFailure: "refuse" | "try_again";
}

/**
 * The state table of `client_token` (interface T.1, T.3, T.4, T.6, T.9). A different payload is refused in any state. A
 * run that was interrupted, or that lacks only its short link, is resumed. The rules of the operation decide whether a
 * failure is final or retried. A retry resumes if an upstream object was created, or may have been.
 */
export function decideByToken(situation: KeySituation, rules: Rules): Decision {
  if (situation.stored === "none" && !situation.live) return "start";
  if (!situation.samePayload) return "refuse_different_payload";
  if (situation.live) return rules.whileRunning === "join" ? "join" : "refuse_in_progress";
  switch (situation.stored) {
    case "none":
      return "start";
    case "running":
      return situation.manual ? "refuse_in_progress" : "resume";
    case "awaiting_short_link":
      return "resume";
    case "completed":
      return situation.expired && !situation.manual ? "start_over" : "replay";
    case "failed_terminal":
      return "refuse_after_failure";
    case "failed":
      if (rules.afterFailure === "refuse" || situation.manual) return "refuse_after_failure";
      return situation.resumable ? "resume" : "start_over";
  }
}

/**
 * A missing short link sets `awaiting_short_link`. An internal fault leaves the record `running`, so it is resumed
 * (interface E.10). Any other error sets `failed`. Failures are not counted.
 */
function afterFailure({ error }: FailedAttempt): AfterFailure {
  if (error.kind === "internal") return { state: "running", failures: 0 };
  return { state: error.kind === "short_link_unavailable" ? "awaiting_short_link" : "failed", failures: 0 };
}

/** The second generation for an operation with these rules. A failure never makes a content key final. */
export function v2Protocol(rules: Rules): VersionProtocol {
  const common = { whileOtherRuns: rules.whileRunning === "join" ? "wait" : "refuse", afterFailure } as const;
  const byToken = {
    ...common,
    replayWindow: null,
    whileUsable: false,
    decide: (situation: KeySituation) => decideByToken(situation, rules),
  };
  const forContent: Rules = { ...rules, afterFailure: "try_again" };
  const byContent = {
    ...common,
    replayWindow: CONTENT_WINDOW,
    whileUsable: true,
    decide: (situation: KeySituation) => decideByToken(situation, forContent),
  };
  return { name: "v2", forKey: (key) => (isContentKey(key) ? byContent : byToken) };
}
