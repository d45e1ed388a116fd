import { HOUR } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { fingerprintOf, recordIdOf } from "./key.ts";
import type { KeyAnswer, KeyRequest } from "./runner.ts";
import type { Work } from "./work.ts";

/** How long a request without a token is recognised by its content, in milliseconds from completion. */
const CONTENT_WINDOW = 24 * HOUR;

/** What a key's Durable Object can do. */
export interface KeyObject {
  handle(request: KeyRequest): Promise<KeyAnswer>;
}

/** The object of a record id. Every call gets a new handle on it, since one that broke stays broken. */
export type OperationObjects = (recordId: string) => { handle(request: KeyRequest): Promise<KeyAnswer> };

interface OnceRequest<Plan> {
  readonly partnerId: string;
  /** The client's own key; without it the content is the key. */
  readonly clientToken: string | undefined;
  /** What was asked for, credentials and token left out: equal contents are equal requests. */
  readonly content: unknown;
  readonly plan: Plan;
}

/**
 * Has a work done once per `client_token` (second generation), or once per content where there is none, and gives
 * its result; `replayed` says that an earlier request had made it.
 * @throws ServiceFailure of the work itself, or of the key's state (`operation_in_progress`,
 * `key_reused_with_different_payload`, `previous_attempt_failed`); `internal` where the object could not be reached
 * twice: the same request may then be repeated, it is resumed.
 */
export async function doOnce<Plan, Result>(
  objects: OperationObjects,
  work: Pick<Work<never, Plan, Result>, "generation" | "operation" | "result">,
  request: OnceRequest<Plan>,
): Promise<{ result: Result; replayed: boolean }> {
  const { partnerId, clientToken } = request;
  const fingerprint = await fingerprintOf(request.content);
  const key = clientToken === undefined ? `content:${fingerprint}` : `token:${clientToken}`;
  const recordId = await recordIdOf({ partnerId, generation: work.generation, operation: work.operation, key });
  const answer = await askTwice(objects, {
    recordId,
    partnerId,
    operation: work.operation,
    key,
    fingerprint,
    plan: JSON.stringify(request.plan),
    requestId: crypto.randomUUID(),
    replayWindow: clientToken === undefined ? CONTENT_WINDOW : null,
    retryAfterFailure: clientToken === undefined,
  });
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
