import { type ServiceError, ServiceFailure } from "../core/errors.ts";
import type { Database } from "../db/client.ts";
import type { KeyAnswer, KeyRequest } from "./answer.ts";
import { fingerprintOf, recordIdOf } from "./key.ts";
import { readRecord } from "./store.ts";
import type { Work } from "./work.ts";

/** What a key's Durable Object can do. */
export interface KeyObject {
  handle(request: KeyRequest): Promise<KeyAnswer>;
  /** Takes back what failed attempts have left upstream, if that is due and nobody is at work; gives whether it did. */
  cleanUp(operation: string, recordId: string): Promise<boolean>;
}

/** The object of a record id. Every call gets a new handle on it, since one that broke stays broken. */
export type OperationObjects = (recordId: string) => KeyObject;

interface OnceRequest<Plan> {
  readonly partnerId: string;
  /** The client's own key: a `client_token`, an `idempotency_key`, or, where it sent none, what it asks for. */
  readonly key: { readonly kind: "token" | "key"; readonly text: string } | { readonly kind: "content" };
  /** What was asked for, credentials and key left out: equal contents are equal requests. */
  readonly content: unknown;
  readonly plan: Plan;
  /** What a request gets that would begin something; one that was begun, or done, before goes on as any other. */
  readonly refuseNew?: ServiceError | null;
}

/** The same objects, told which HTTP request they work for, so that their log lines say so. */
export function traced(objects: OperationObjects, trace: string): OperationObjects {
  return (recordId) => ({
    handle: (request) => objects(recordId).handle({ ...request, trace }),
    cleanUp: (operation, id) => objects(recordId).cleanUp(operation, id),
  });
}

type WorkToDo<Plan, Result> = Pick<Work<never, Plan, Result>, "generation" | "operation" | "result">;

/**
 * Has a work done once per key and gives its result; `replayed` says that an earlier request had made it.
 * @throws ServiceFailure of the work itself, or of the key's state (`operation_in_progress`,
 * `key_reused_with_different_payload`, `previous_attempt_failed`); `internal` where the object could not be reached
 * twice: the same request may then be repeated, it is resumed.
 */
export async function doOnce<Plan, Result>(
  objects: OperationObjects,
  work: WorkToDo<Plan, Result>,
  request: OnceRequest<Plan>,
): Promise<{ result: Result; replayed: boolean }> {
  const { partnerId } = request;
  const fingerprint = await fingerprintOf(request.content);
  const key = request.key.kind === "content" ? `content:${fingerprint}` : `${request.key.kind}:${request.key.text}`;
  const recordId = await recordIdOf({ partnerId, generation: work.generation.name, operation: work.operation, key });
  const answer = await askTwice(objects, {
    recordId,
    partnerId,
    operation: work.operation,
    key,
    fingerprint,
    plan: JSON.stringify(request.plan),
    requestId: crypto.randomUUID(),
    refuseNew: request.refuseNew ?? null,
    byHand: false,
  });
  return resultOf(work, answer);
}

/**
 * Has a record that lacks only its short link completed, by a person's wish and without its caller. Gives null where
 * the record is not of this work, so that nothing of anybody else's can be touched.
 * @throws ServiceFailure as {@link doOnce}; for a record in another state, that of the state.
 */
export async function completeByHand<Plan, Result>(
  tools: { readonly db: Database; readonly operationObjects: OperationObjects },
  work: WorkToDo<Plan, Result>,
  recordId: string,
): Promise<Result | null> {
  const record = await readRecord(tools.db, recordId);
  if (record === undefined || record.operation !== work.operation) return null;
  const { partnerId, operation, key, fingerprint, plan } = record;
  const request = { recordId, partnerId, operation, key, fingerprint, plan, requestId: crypto.randomUUID(), refuseNew: null, byHand: true };
  return resultOf(work, await askTwice(tools.operationObjects, request)).result;
}

function resultOf<Result>(work: WorkToDo<never, Result>, answer: KeyAnswer): { result: Result; replayed: boolean } {
  if (!answer.ok) throw new ServiceFailure(answer.error);
  return { result: work.result.parse(JSON.parse(answer.result)), replayed: answer.replayed };
}

/** An object that dies mid-way (a new version, a moved machine) is asked once more: the work resumes where it was. */
async function askTwice(objects: OperationObjects, request: KeyRequest): Promise<KeyAnswer> {
  try {
    return await objects(request.recordId).handle(request);
  } catch {
    try {
      return await objects(request.recordId).handle(request);
    } catch (cause) {
      throw new ServiceFailure({ kind: "internal" }, { cause });
    }
  }
}
