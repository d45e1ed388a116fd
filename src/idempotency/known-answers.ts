import { MINUTE } from "../core/clock.ts";
import type { RecordRef } from "./answer.ts";
import type { OperationObjects } from "./client.ts";

/** How long an isolate remembers an answer. A repeat that comes later is checked anew. */
const REMEMBERED_FOR = 1 * MINUTE;
/** Answers that an isolate remembers. A cart of twenty takes some 3 KB. */
const MAX_REMEMBERED = 1_000;

/** What is remembered of an answer. */
export interface KnownAnswer {
  readonly record: RecordRef;
  /** What a repeat is answered. */
  readonly answer: object;
  /** The revision of the catalogue with which the request was checked. */
  readonly catalogue: number;
}

/**
 * What this isolate has answered lately to requests that made something, by partner, operation and digest of the body. The
 * same body was checked and planned then. So it needs only the object of its key to say that the result still stands, as
 * long as no product has changed.
 */
export class KnownAnswers {
  readonly #answers = new Map<string, KnownAnswer & { readonly until: number }>();

  /** What is remembered of a request at the time `now` (Unix milliseconds). */
  find(request: string, now: number): KnownAnswer | undefined {
    const known = this.#answers.get(request);
    return known !== undefined && now < known.until ? known : undefined;
  }

  remember(request: string, known: KnownAnswer, now: number): void {
    // The map keeps the order in which it was filled, so the first entry is the oldest one.
    this.#answers.delete(request);
    const [oldest] = this.#answers.size < MAX_REMEMBERED ? [] : this.#answers.keys();
    if (oldest !== undefined) this.#answers.delete(oldest);
    this.#answers.set(request, { ...known, until: now + REMEMBERED_FOR });
  }

  forget(request: string): void {
    this.#answers.delete(request);
  }
}

/** The objects, and the record that was asked for last with success. */
export function watched(objects: OperationObjects): { readonly objects: OperationObjects; readonly seen: () => RecordRef | null } {
  let seen: RecordRef | null = null;
  return {
    seen: () => seen,
    objects: (id, cell) => ({
      async handle(request) {
        const answer = await objects(id, cell).handle(request);
        const { operation, recordId, fingerprint } = request;
        if (answer.ok) seen = { operation, recordId, fingerprint, completedAt: answer.completedAt };
        return answer;
      },
      compensate: (...what) => objects(id, cell).compensate(...what),
      stillStands: (record) => objects(id, cell).stillStands(record),
    }),
  };
}
