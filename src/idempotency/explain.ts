import { isoTime, MINUTE } from "../core/clock.ts";
import type { ServiceError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { storedError } from "./answer.ts";
import type { Decision, Generation } from "./protocol.ts";
import type { IdempotencyRecord } from "./store.ts";

/** What a repeat of a request would do, decided by the same table as the repeat itself. */
export interface Explanation {
  readonly state: IdempotencyRecord["state"] | "never_used";
  /** What a repeat with the same body does, unless a run is under way. */
  readonly repeat: Decision;
  readonly words: string;
}

const STEP_TIME = 2 * MINUTE;

/**
 * Explains a key at the time `now` (Unix milliseconds). Whether a run is under way at this moment is not known here: a
 * record that says so was written to lately, or its run was cut off.
 */
export function explainKey(generation: Generation, record: IdempotencyRecord | undefined, now: number): Explanation {
  if (record === undefined)
    return { state: "never_used", repeat: "start", words: "This key was never used. A request with it is carried out." };
  const protocol = generation.protocolOf(record.key);
  const { replayWindow } = protocol;
  const { state, completedAt } = record;
  const expired = replayWindow !== null && completedAt !== null && now - completedAt > replayWindow;
  const situation = { stored: state, live: false, samePayload: true, expired, resumable: record.resumable, manual: false };
  const repeat = protocol.decide(situation);
  const otherBody = "A request with another body is refused: the key was used with this one.";
  return { state, repeat, words: `${stateOf(record)} ${repeatOf(repeat, record, generation, replayWindow, now)} ${otherBody}` };
}

function stateOf(record: IdempotencyRecord): string {
  switch (record.state) {
    case "completed":
      return at("The request was carried out", record.completedAt ?? record.updatedAt);
    case "running":
      return at("The request was begun, and has no result yet; its last step was stored", record.updatedAt);
    case "awaiting_short_link":
      return at("The link was made, and its short link could not be", record.updatedAt);
    case "failed":
      return `${at("The last attempt failed", record.updatedAt)} ${failureOf(record)}`;
    case "failed_terminal":
      return `${at("The key failed for good", record.updatedAt)} ${failureOf(record)}`;
  }
}

function repeatOf(decision: Decision, record: IdempotencyRecord, generation: Generation, replayWindow: number | null, now: number): string {
  switch (decision) {
    case "replay":
      return replayWindow === null
        ? "A repeat gives the same result, at any time."
        : `A repeat gives the same result until ${isoTime((record.completedAt ?? now) + replayWindow)}; after that it is carried out anew.`;
    case "start_over":
      return record.state === "completed"
        ? "Its time is over: a repeat is carried out anew."
        : `A repeat makes a new attempt. ${countOf(record, generation)}`.trim();
    case "resume":
      return `${now - record.updatedAt < STEP_TIME ? "It may be under way at this moment; a repeat joins it or is told so. If it was cut off, a" : "A"} repeat goes on where it stopped, and makes nothing twice.`;
    case "refuse_after_failure":
      return "A repeat is refused with PREVIOUS_ATTEMPT_FAILED: the partner needs a new token.";
    case "repeat_failure":
      return record.state === "awaiting_short_link"
        ? "A repeat gets the same error until `short-links complete` has made it."
        : "A repeat gets this error again, and nothing is tried: the partner needs a new key.";
    case "start":
    case "join":
    case "refuse_in_progress":
    case "refuse_different_payload":
      return "A repeat is carried out.";
  }
}

/** The first generation counts failures in a row with the same error. */
function countOf({ failures }: IdempotencyRecord, { name }: Generation): string {
  if (name !== "v1") return "";
  const left = limits.failedAttempts.count + 1 - failures;
  return `${failures === 1 ? "It failed once" : `It failed ${failures} times in a row`} with this error; ${left} more ${left === 1 ? "makes" : "make"} it final.`;
}

function failureOf(record: IdempotencyRecord): string {
  const error = storedError(record);
  return error === null ? "" : `The error: ${nameOf(error)}.`;
}

function nameOf(error: ServiceError): string {
  if (error.kind !== "upstream_failed") return error.kind;
  return `${error.upstream} ${error.code ?? "out of reach"} (${error.message})`;
}

function at(what: string, timestamp: number): string {
  return `${what} ${isoTime(timestamp)}.`;
}
