import { type ServiceError, serviceErrorSchema } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import type { IdempotencyRecord } from "./store.ts";

/** A request for a key, as it reaches the key's Durable Object. */
export interface KeyRequest {
  readonly recordId: string;
  readonly partnerId: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
  /** One per request of a caller: our own repeats of it carry the same. */
  readonly requestId: string;
  /** The plan as JSON; used if the key is new, or starts over. */
  readonly plan: string;
  /** What the request is answered where it would begin something; null: it may. */
  readonly refuseNew: ServiceError | null;
  /** The id of the HTTP request that it is part of, for the log. */
  readonly trace?: string;
  /** Whether it is a person's wish to have a link completed that lacks only its short link. */
  readonly byHand: boolean;
}

/** What the object answers: `result` is JSON; `replayed` says that an earlier request had made it. */
export type KeyAnswer =
  | { readonly ok: true; readonly result: string; readonly replayed: boolean }
  | { readonly ok: false; readonly error: ServiceError };

export function refusal(error: ServiceError): KeyAnswer {
  return { ok: false, error };
}

/** A failure that leaves its key in this state: where that is for good, the answer says so. */
export function failureIn(state: IdempotencyRecord["state"], error: ServiceError): KeyAnswer {
  const canBeSpent = error.kind === "internal" || error.kind === "upstream_failed" || error.kind === "upstream_timeout";
  return refusal(canBeSpent && state === "failed_terminal" ? { ...error, spent: true } : error);
}

/** The stored result. To the very request that made it, asked again by our own hand, it is no replay. */
export function replayOf(record: IdempotencyRecord, requestId: string): KeyAnswer {
  if (record.result === null) throw new Error("a completed record has no result");
  return { ok: true, result: record.result, replayed: record.requestId !== requestId };
}

/** The error that the last failed attempt ended in, or null where none has failed. */
export function storedError(record: Pick<IdempotencyRecord, "error">): ServiceError | null {
  return record.error === null ? null : parseJson(serviceErrorSchema, record.error);
}
