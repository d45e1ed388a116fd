import type { CellCode } from "../core/cell-code.ts";
import type { Environment } from "../core/environment.ts";
import { type ServiceError, serviceErrorSchema } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import type { Cost } from "../core/trace.ts";
import type { IdempotencyRecord } from "./store.ts";

/** A request to the Durable Object of its idempotency key. */
export interface KeyRequest {
  readonly recordId: string;
  /** The cell with the partner's data, as far as the caller knows. */
  readonly cell: CellCode;
  /** Earlier cells that may have the record, if the partner was split by time; none if the record is in `cell`. */
  readonly earlier?: readonly CellCode[];
  readonly partnerId: string;
  /** The environments for which the caller may resume a run; both if absent. */
  readonly environments?: readonly Environment[] | undefined;
  readonly operation: string;
  readonly key: string;
  /**
   * The fingerprint of the request, and any others that count as the same request. A new record stores the first one.
   * The others are for a catalogue value that can no longer be read.
   */
  readonly fingerprints: readonly [string, ...string[]];
  /** The holder of the request, as in the audit log: who starts a run. */
  readonly holder: string;
  /** Unique per request of the caller. Internal retries of that request reuse it. */
  readonly requestId: string;
  /** The start of a new run; see {@link Start}. A replay and a resumed run ignore it. */
  readonly start: Start;
  /** The id of the HTTP request, for the log. */
  readonly trace?: string;
  /** Whether this is a manual request to complete a link that lacks only its short link. */
  readonly manual: boolean;
  /** Whether nothing may be done: a run that goes on is not joined, and an interrupted one is not resumed. */
  readonly isDryRun?: true;
}

/** The plan of a new run, as JSON; or the error for a request that may not start a run. */
type Start = { readonly plan: string } | { readonly refusal: ServiceError };

/** The response of the Durable Object, with its cost. */
export type KeyResponseAndCost = KeyResponse & { readonly cost?: Cost };

/** `result` is JSON. `replayed`: an earlier request produced the result. */
export type KeyResponse =
  | { readonly ok: true; readonly result: string; readonly replayed: boolean }
  /** `isRefusal`: the error is that of {@link Start}, because the key has no run. `begun`: of a dry run, because the key has a run, with its plan as JSON. */
  | { readonly ok: false; readonly error: ServiceError; readonly isRefusal?: true; readonly begun?: string };

export function errorResponse(error: ServiceError): KeyResponse {
  return { ok: false, error };
}

/** The response to a request that may not start a run. */
export function refusalResponse(error: ServiceError): KeyResponse {
  return { ok: false, error, isRefusal: true };
}

/** The response to a dry run whose key has a run that is not complete. */
export function begunResponse({ plan }: Pick<IdempotencyRecord, "plan">): KeyResponse {
  return { ok: false, error: { kind: "operation_in_progress" }, begun: plan };
}

/**
 * The response for a failure, given the state of the key after it. If the key is terminal, the error says so if its
 * kind can.
 */
export function failureResponse(state: IdempotencyRecord["state"], error: ServiceError): KeyResponse {
  const mayBeTerminal = error.kind === "internal" || error.kind === "upstream_failed" || error.kind === "upstream_timeout";
  return errorResponse(mayBeTerminal && state === "failed_terminal" ? { ...error, terminal: true } : error);
}

/** The stored result. It is not a replay for the request that produced it, as in an internal retry. */
export function replayResponse(record: IdempotencyRecord, requestId: string): KeyResponse {
  if (record.result === null) throw new Error("a completed record has no result");
  return { ok: true, result: record.result, replayed: record.requestId !== requestId };
}

/** The error of the last failed attempt, or null if no attempt has failed. */
export function storedError(record: Pick<IdempotencyRecord, "error">): ServiceError | null {
  return record.error === null ? null : parseJson(serviceErrorSchema, record.error);
}
