import { sha256HexOf } from "../core/digest.ts";
import type { CellDeps, Deps } from "../deps.ts";
import type { RecordRef } from "../idempotency/answer.ts";
import { watched } from "../idempotency/known-answers.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Credentials } from "./authenticate.ts";
import { EarlyAnswer } from "./early-answer.ts";

/**
 * One request of an operation that makes something, as a possible repeat. If this isolate has answered the same body of
 * the same partner lately, the object of its key is asked, beside the key's check, whether the result still stands.
 */
export class RepeatOf {
  readonly #deps: Deps;
  readonly #operation: string;
  /** SHA-256 of the body. */
  readonly #digest: string;
  readonly #known = new EarlyAnswer<object | undefined>();
  #hasBegun = false;
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

  /** Whether the object was asked. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Asks the object, if the answer is known. Returns whether it is. */
  begin(remembered: Caller): boolean {
    const { knownAnswers, operationObjects, clock } = this.#deps;
    const request = this.#nameFor(remembered);
    if (!knownAnswers.has(request)) return false;
    this.#hasBegun = true;
    this.#known.begin(remembered, knownAnswers.recall(operationObjects, request, clock.now()));
    return true;
  }

  /** The answer for the caller whose key it is; undefined if it must be found out. */
  async answerFor(caller: Caller): Promise<object | undefined> {
    return this.#known.of(caller);
  }

  /** The same dependencies, with objects that show which record was asked for. */
  watch(deps: CellDeps): CellDeps {
    const { objects, seen } = watched(deps.operationObjects);
    this.#seen = seen;
    return { ...deps, operationObjects: objects };
  }

  /** Remembers what a repeat gets; null: it is another request. */
  remember(caller: Caller, answer: object | null): void {
    const record = this.#seen();
    if (record === null || answer === null) return;
    this.#deps.knownAnswers.remember(this.#nameFor(caller), record, answer, this.#deps.clock.now());
  }

  #nameFor({ partnerId }: Caller): string {
    return `${partnerId} ${this.#operation} ${this.#digest}`;
  }
}
