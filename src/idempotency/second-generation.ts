import { HOUR } from "../core/clock.ts";
import type { AfterFailure, Decision, FailedAttempt, Generation, Situation } from "./protocol.ts";

/** How long a request without a token is recognised by its content, in milliseconds from completion. */
const CONTENT_WINDOW = 24 * HOUR;

/** What an operation says of its keys, where the interface lets operations differ. */
export interface Rules {
  readonly whileRunning: "refuse" | "join";
  readonly afterFailure: "refuse" | "try_again";
}

/**
 * The table of `client_token` (interface, "Idempotency record of v2 operations"). A different payload is refused in
 * any state; a run that was cut off, or that only lacks its short link, is resumed; a failure is final or tried again
 * as the operation says, going on from where it failed if anything was made, or may have been.
 */
export function decideByToken(situation: Situation, rules: Rules): Decision {
  if (situation.stored === "none" && !situation.live) return "start";
  if (!situation.samePayload) return "refuse_different_payload";
  if (situation.live) return rules.whileRunning === "join" ? "join" : "refuse_in_progress";
  switch (situation.stored) {
    case "none":
      return "start";
    case "running":
      return situation.byHand ? "refuse_in_progress" : "resume";
    case "awaiting_short_link":
      return "resume";
    case "completed":
      return situation.expired && !situation.byHand ? "start_over" : "replay";
    case "failed_terminal":
      return "refuse_after_failure";
    case "failed":
      if (rules.afterFailure === "refuse" || situation.byHand) return "refuse_after_failure";
      return situation.resumable ? "resume" : "start_over";
  }
}

/** A link without its short link waits for it; a fault of our own is resumed; any other failure is one. None is counted. */
function afterFailure({ error }: FailedAttempt): AfterFailure {
  if (error.kind === "internal") return { state: "running", failures: 0 };
  return { state: error.kind === "short_link_unavailable" ? "awaiting_short_link" : "failed", failures: 0 };
}

/** The second generation for an operation with these rules. A key made from content never ends by a failure. */
export function secondGeneration(rules: Rules): Generation {
  const common = { whileOtherRuns: rules.whileRunning === "join" ? "wait" : "refuse", afterFailure } as const;
  const byToken = { ...common, replayWindow: null, decide: (situation: Situation) => decideByToken(situation, rules) };
  const forContent: Rules = { ...rules, afterFailure: "try_again" };
  const byContent = { ...common, replayWindow: CONTENT_WINDOW, decide: (situation: Situation) => decideByToken(situation, forContent) };
  return { name: "v2", protocolOf: (key) => (key.startsWith("content:") ? byContent : byToken) };
}
