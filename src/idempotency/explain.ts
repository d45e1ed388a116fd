import * as z from "zod";
import { isoTime } from "../core/clock.ts";
import type { ServiceError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { storedError } from "./answer.ts";
import type { Decision, VersionProtocol } from "./protocol.ts";
import type { IdempotencyRecord } from "./store.ts";

/** What a repeat of a request would do, decided by the same table as the repeat itself. */
export interface Explanation {
  readonly state: IdempotencyRecord["state"] | "never_used";
  /** The effect of a repeat with the same body, unless a run is in progress. */
  readonly repeat: Decision;
  readonly words: string;
}

const NEVER_USED =
  "This key was never used: no operation was started under it. A refused request (input, permission, product) leaves no record. A repeat is checked again, and carried out.";

/**
 * Explains a key at the time `now` (Unix milliseconds). This function cannot know whether a run is in progress: a
 * record in the state `running` was either written recently, or its run was interrupted.
 */
export function explainKey(generation: VersionProtocol, record: IdempotencyRecord | undefined, now: number): Explanation {
  if (record === undefined) return { state: "never_used", repeat: "start", words: NEVER_USED };
  const protocol = generation.forKey(record.key);
  const { replayWindow } = protocol;
  const { state, completedAt } = record;
  const expired = replayWindow !== null && completedAt !== null && now - completedAt > replayWindow;
  const situation = { stored: state, live: false, samePayload: true, expired, resumable: record.resumable, manual: false };
  const repeat = protocol.decide(situation);
  const otherBody = "A request with another body is refused: the key was used with this one.";
  return { state, repeat, words: `${stateOf(record)} ${repeatOf(repeat, record, generation, replayWindow, now)} ${otherBody}` };
}

const resultSchema = z.record(z.string(), z.unknown());

/** The ids in a record's result, by field name; empty if it has none. Addresses and secrets are not ids. */
export function resultIdsOf(record: IdempotencyRecord | undefined): Record<string, string> {
  if (record === undefined || record.result === null) return {};
  const result = resultSchema.safeParse(JSON.parse(record.result)).data ?? {};
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, value]) =>
      /(?:^id|Id|slug)$/.test(name) && (typeof value === "string" || typeof value === "number") ? [[name, String(value)]] : [],
    ),
  );
}

function stateOf(record: IdempotencyRecord): string {
  switch (record.state) {
    case "completed":
      return at("The request was carried out at", record.completedAt ?? record.updatedAt);
    case "running":
      return at("The request was started, and has no result yet; its last update was at", record.updatedAt);
    case "awaiting_short_link":
      return at("The link was created, but its short link failed at", record.updatedAt);
    case "failed":
      return `${at("The last attempt failed at", record.updatedAt)} ${failureOf(record)}`;
    case "failed_terminal":
      return `${at("The key failed permanently at", record.updatedAt)} ${failureOf(record)}`;
  }
}

function repeatOf(
  decision: Decision,
  record: IdempotencyRecord,
  generation: VersionProtocol,
  replayWindow: number | null,
  now: number,
): string {
  switch (decision) {
    case "replay":
      return replayWindow === null
        ? "A repeat gives the same result, at any time."
        : `A repeat gives the same result until ${isoTime((record.completedAt ?? now) + replayWindow)}, as long as what was created can be used; after that it is carried out again.`;
    case "start_over":
      return record.state === "completed" ? "Its replay window is over: a repeat is carried out again." : newAttempt(record, generation);
    case "resume":
      return resumption(record, generation);
    case "refuse_after_failure":
      return "A repeat is refused with PREVIOUS_ATTEMPT_FAILED: it takes a new token.";
    case "repeat_failure":
      return record.state === "awaiting_short_link"
        ? "A repeat gets the same error until an operator has created the short link (`short-links complete`)."
        : "A repeat gets this error again, and nothing is tried: it takes a new key.";
    case "start":
    case "join":
    case "refuse_in_progress":
    case "refuse_different_payload":
      return "A repeat is carried out.";
  }
}

function newAttempt(record: IdempotencyRecord, generation: VersionProtocol): string {
  const first =
    record.compensateAt === null
      ? "A repeat makes a new attempt."
      : "A repeat first compensates the last attempt, then makes a new one. If the compensation fails, the repeat gets the last error again.";
  return `${first} ${countOf(record, generation)}`.trim();
}

function resumption(record: IdempotencyRecord, generation: VersionProtocol): string {
  switch (record.state) {
    case "awaiting_short_link":
      return "A repeat creates the short link, and never a second link. The cron tries it too.";
    case "failed": {
      const until = record.compensateAt === null ? "" : ` Until ${isoTime(record.compensateAt)}; after that it makes a new attempt.`;
      return `A repeat resumes where the last attempt stopped, and creates nothing twice.${until} ${countOf(record, generation)}`.trim();
    }
    case "running":
    case "completed":
    case "failed_terminal": {
      const joins = generation.forKey(record.key).whileOtherRuns === "wait" ? "waits for its result" : "gets OPERATION_IN_PROGRESS";
      return `If it is running now, a repeat ${joins}. If it was interrupted, a repeat resumes where it stopped, and creates nothing twice.`;
    }
  }
}

/** The first generation counts failures in a row with the same error. */
function countOf({ failures }: IdempotencyRecord, { name }: VersionProtocol): string {
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
