import { sha256HexOf } from "../core/digest.ts";
import type { CellDeps, Deps } from "../deps.ts";
import type { RecordRef } from "../idempotency/answer.ts";
import { type KnownAnswer, watched } from "../idempotency/known-answers.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Credentials } from "./authenticate.ts";
import { EarlyAnswer } from "./early-answer.ts";

/**
 * One request of an operation that makes something, as a possible repeat. If this isolate has answered the same body of
 * the same partner lately, the object of its key is asked, beside the key's check, whether the result still stands; and that
 * check says whether a product has changed. If none has, the first answer is given again.
 */
export class RepeatOf {
  readonly #deps: Deps;
  readonly #operation: string;
  /** SHA-256 of the body. */
  readonly #digest: string;
  readonly #stands = new EarlyAnswer<boolean>();
  #known: KnownAnswer | undefined;
  #seen: () => RecordRef | null = () => null;

  private constructor(deps: Deps, operation: string, digest: string) {
    this.#deps = deps;
    this.#operation = operation;
    this.#digest = digest;
  }

  /** Null for an agent, whose calls are checked against what it was given, and where the body's bytes are not known. */
  static async of(deps: Deps, operation: string, { by }: Credentials, bytes: ArrayBuffer | undefined): Promise<RepeatOf | null> {
    return by !== "key" || bytes === undefined ? null : new RepeatOf(deps, operation, await sha256HexOf(bytes));
  }

  /** Asks the object, if the answer is known. */
  begin(remembered: Caller): void {
    const { knownAnswers, operationObjects, clock } = this.#deps;
    this.#known = knownAnswers.find(this.#nameFor(remembered), clock.now());
    if (this.#known === undefined) return;
    const { record } = this.#known;
    this.#stands.begin(remembered, operationObjects(record.recordId, remembered.cell).stillStands(record).catch(orNot));
  }

  /** Whether this isolate remembers an answer. */
  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  /** The answer for the caller whose key it is, at this revision of the catalogue; undefined if it must be found out. */
  async answerFor(caller: Caller, catalogue: number | null): Promise<object | undefined> {
    if (this.#known === undefined) return undefined;
    const { answer, catalogue: before } = this.#known;
    if (catalogue === before && (await this.#stands.of(caller))) return answer;
    this.#deps.knownAnswers.forget(this.#nameFor(caller));
    return undefined;
  }

  /** The same dependencies, with objects that show which record was asked for. */
  watch(deps: CellDeps): CellDeps {
    const { objects, seen } = watched(deps.operationObjects);
    this.#seen = seen;
    return { ...deps, operationObjects: objects };
  }

  /** Remembers what a repeat gets, of a request that was checked with that revision; null: it is another request. */
  remember(caller: Caller, answer: object | null, catalogue: number | null): void {
    const record = this.#seen();
    if (record === null || answer === null || catalogue === null) return;
    this.#deps.knownAnswers.remember(this.#nameFor(caller), { record, answer, catalogue }, this.#deps.clock.now());
  }

  #nameFor({ partnerId }: Caller): string {
    return `${partnerId} ${this.#operation} ${this.#digest}`;
  }
}

/** An object that does not answer is asked as for a new request. */
const orNot = () => false;
