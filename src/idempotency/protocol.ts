import type { ServiceError } from "../core/errors.ts";
import type { recordStates } from "../db/schema/idempotency.ts";

type RecordState = (typeof recordStates)[number];

/** The input of a decision about a key. It is small and closed, so every case can be enumerated. */
export interface KeySituation {
  readonly stored: "none" | RecordState;
  /** Whether this object instance is running the key now. If not, a `running` record was interrupted. */
  readonly live: boolean;
  readonly samePayload: boolean;
  /** Whether a completed record is older than its replay window, or names what can no longer be used. */
  readonly expired: boolean;
  /** Whether an upstream object was created, or may have been, before the stored failure. */
  readonly resumable: boolean;
  /** Whether this is a manual request. It only completes a link that lacks its short link. */
  readonly manual: boolean;
}

export type Decision =
  /** First run of the key. */
  | "start"
  /** Resume an unfinished run: same plan, same upstream keys. */
  | "resume"
  /** Start a new run on an existing record: new plan, new upstream keys. */
  | "start_over"
  | "replay"
  /** Wait for the live run and share its outcome. */
  | "join"
  | "refuse_in_progress"
  | "refuse_different_payload"
  | "refuse_after_failure"
  /** Return the stored error again and do nothing. */
  | "repeat_failure";

/** An attempt that ended in `error`, with the record's data about earlier attempts. */
export interface FailedAttempt {
  readonly error: ServiceError;
  /** The error of the previous attempt, if it failed. */
  readonly previous: ServiceError | null;
  /** The number of consecutive attempts that ended in `previous`. */
  readonly failures: number;
}

/** The state of a key after a failed attempt. */
export interface AfterFailure {
  /** `running`: this does not count as a failure, and the next request resumes the run. */
  readonly state: Extract<RecordState, "running" | "failed" | "failed_terminal" | "awaiting_short_link">;
  readonly failures: number;
}

/** The key state table of a generation, as pure functions. */
export interface Protocol {
  /** How long after completion a result is replayed, in milliseconds. Null: without limit. */
  readonly replayWindow: number | null;
  /** Whether a result is replayed only while what it names can be used ({@link Workflow.isUsable}). */
  readonly whileUsable: boolean;
  /** While another instance of the object is running the key: wait for its outcome, or refuse the request. */
  readonly whileOtherRuns: "wait" | "refuse";
  decide(situation: KeySituation): Decision;
  afterFailure(attempt: FailedAttempt): AfterFailure;
}

/** The protocols of one API version. Both versions share one engine. */
export interface VersionProtocol {
  readonly name: "v1" | "v2";
  /** The protocol of a stored key. The prefix of the key gives its kind (see `key.ts`). */
  forKey(key: string): Protocol;
}
