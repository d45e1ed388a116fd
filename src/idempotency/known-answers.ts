import { MINUTE } from "../core/clock.ts";
import type { RecordRef } from "./answer.ts";
import type { OperationObjects } from "./client.ts";

/** How long an isolate remembers an answer. A repeat that comes later is checked anew. */
const REMEMBERED_FOR = 1 * MINUTE;
/** Answers that an isolate remembers. A cart of twenty takes some 3 KB. */
const MAX_REMEMBERED = 1_000;

interface KnownAnswer {
  readonly record: RecordRef;
  /** What a repeat is answered. */
  readonly answer: object;
  /** Unix milliseconds. */
  readonly until: number;
}

/**
 * What this isolate has answered lately to requests that made something, by partner, operation and digest of the body. The
 * same body was checked and planned then, so a repeat needs only its key's object to say that the result still stands.
 * It is given as it was, also where a product has changed since: it is a repeat.
 */
export class KnownAnswers {
  readonly #answers = new Map<string, KnownAnswer>();

  /** The answer to a repeat at the time `now` (Unix milliseconds), if the result still stands; undefined if it is not known. */
  async recall(objects: OperationObjects, request: string, now: number): Promise<object | undefined> {
    const known = this.#answers.get(request);
    if (known === undefined) return undefined;
    const { record, answer, until } = known;
    const stands =
      now < until &&
      (await objects(record.recordId)
        .stillStands(record)
        .catch(() => false));
    if (!stands) this.#answers.delete(request);
    return stands ? answer : undefined;
  }

  has(request: string): boolean {
    return this.#answers.has(request);
  }

  remember(request: string, record: RecordRef, answer: object, now: number): void {
    // The map keeps the order in which it was filled, so the first entry is the oldest one.
    this.#answers.delete(request);
    const [oldest] = this.#answers.size < MAX_REMEMBERED ? [] : this.#answers.keys();
    if (oldest !== undefined) this.#answers.delete(oldest);
    this.#answers.set(request, { record, answer, until: now + REMEMBERED_FOR });
  }
}

/** The objects, and the record that was asked for last with success. */
export function watched(objects: OperationObjects): { readonly objects: OperationObjects; readonly seen: () => RecordRef | null } {
  let seen: RecordRef | null = null;
  return {
    seen: () => seen,
    objects: (id) => ({
      async handle(request) {
        const answer = await objects(id).handle(request);
        if (answer.ok) seen = { operation: request.operation, recordId: request.recordId, fingerprint: request.fingerprint };
        return answer;
      },
      compensate: (operation, recordId) => objects(id).compensate(operation, recordId),
      stillStands: (record) => objects(id).stillStands(record),
    }),
  };
}
