import type { ServiceError } from "../core/errors.ts";
import type { recordStates } from "../db/schema/idempotency.ts";

type RecordState = (typeof recordStates)[number];

/** What is known of a key when something is asked of it. Small and closed, so that every case can be listed. */
export interface Situation {
  readonly stored: "none" | RecordState;
  /** Whether this very object is at work on the key now. A record left `running` by anyone else is interrupted. */
  readonly live: boolean;
  readonly samePayload: boolean;
  /** Whether a completed record is older than the time for which it is replayed. */
  readonly expired: boolean;
  /** Whether the stored failure came after something was made, or may have been. */
  readonly resumable: boolean;
  /** Whether a person asks, who wants a link that lacks only its short link completed, and nothing else begun. */
  readonly byHand: boolean;
}

export type Decision =
  /** First run of the key. */
  | "start"
  /** Go on with an unfinished run: same plan, same upstream keys. */
  | "resume"
  /** A new run on an old record: new plan, new upstream keys. */
  | "start_over"
  | "replay"
  /** Take part in the run under way, and share its outcome. */
  | "join"
  | "refuse_in_progress"
  | "refuse_different_payload"
  | "refuse_after_failure"
  /** The stored error once more, with nothing done. */
  | "repeat_failure";

/** An attempt that ended in `error`, and what the record said of those before it. */
export interface FailedAttempt {
  readonly error: ServiceError;
  /** The error of the attempt before, if that failed too. */
  readonly previous: ServiceError | null;
  /** Attempts in a row, before this one, that ended in `previous`. */
  readonly failures: number;
}

/** Where a failed attempt leaves its key. */
export interface AfterFailure {
  /** `running`: it is no failure, and the next request goes on. */
  readonly state: Extract<RecordState, "running" | "failed" | "failed_terminal" | "awaiting_short_link">;
  readonly failures: number;
}

/** A generation's table of its keys' states, as pure functions. */
export interface Protocol {
  /** For how many milliseconds after completion a result is replayed; null: for good. */
  readonly replayWindow: number | null;
  /** What a request gets while another instance of its object is at work on the key: the outcome, or a refusal. */
  readonly whileOtherRuns: "wait" | "refuse";
  decide(situation: Situation): Decision;
  afterFailure(attempt: FailedAttempt): AfterFailure;
}

/** A generation of the interface: the engine is one, the protocols on it are two. */
export interface Generation {
  readonly name: "v1" | "v2";
  /** The protocol of a record's key, which tells by its prefix what kind of key it is (see `client.ts`). */
  protocolOf(key: string): Protocol;
}
