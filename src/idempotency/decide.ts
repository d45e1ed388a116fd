import type { recordStates } from "../db/schema/idempotency.ts";

/** What is known of a key when a request for it comes in. Small and closed, so that every case can be listed. */
export interface Situation {
  readonly stored: "none" | (typeof recordStates)[number];
  /** Whether this very object is at work on the key now. A record left `running` by anyone else is interrupted. */
  readonly live: boolean;
  readonly samePayload: boolean;
  /** Whether a completed record is older than the time for which it is replayed. */
  readonly expired: boolean;
  /** Whether the stored failure came after something was made, or may have been. */
  readonly resumable: boolean;
}

/** What an operation says of its keys, where the interface lets operations differ. */
export interface Rules {
  readonly whileRunning: "refuse" | "wait";
  readonly afterFailure: "refuse" | "try_again";
}

export type Decision =
  /** First run of the key. */
  | "start"
  /** Go on with an unfinished run: same plan, same upstream keys. */
  | "resume"
  /** A new run on an old record: new plan, new upstream keys. */
  | "start_over"
  | "replay"
  /** Let the run under way end, then ask again. */
  | "wait"
  | "refuse_in_progress"
  | "refuse_different_payload"
  | "refuse_after_failure";

/**
 * The second generation's table of `client_token` (interface, "Idempotency record of v2 operations"), as a pure
 * function. A different payload is refused in any state; a run that was cut off, or that only lacks its short link,
 * is resumed; a failure is final or tried again as the operation says, going on from where it failed if anything was
 * made, or may have been.
 */
export function decide(situation: Situation, rules: Rules): Decision {
  if (situation.stored === "none" && !situation.live) return "start";
  if (!situation.samePayload) return "refuse_different_payload";
  if (situation.live) return rules.whileRunning === "wait" ? "wait" : "refuse_in_progress";
  switch (situation.stored) {
    case "none":
      return "start";
    case "running":
    case "awaiting_short_link":
      return "resume";
    case "completed":
      return situation.expired ? "start_over" : "replay";
    case "failed_terminal":
      return "refuse_after_failure";
    case "failed":
      if (rules.afterFailure === "refuse") return "refuse_after_failure";
      return situation.resumable ? "resume" : "start_over";
  }
}
