import { Memory } from "../core/memory.ts";

/** The number of keys that an isolate remembers. */
const SIZE = 10_000;

/**
 * The callers of the keys that this isolate has seen, by key hash. It is only a guess: a read may start with it while
 * the directory is asked, and nothing is answered before the directory has confirmed the key.
 */
export class RememberedCallers<Caller> {
  readonly #callers = new Memory<Caller>(Number.POSITIVE_INFINITY, SIZE);
  readonly #refused = new Memory<true>(Number.POSITIVE_INFINITY, SIZE);

  get(keyHash: string): Caller | undefined {
    return this.#callers.get(keyHash, 0);
  }

  remember(keyHash: string, caller: Caller): void {
    this.#callers.remember(keyHash, caller, 0);
    this.#refused.forget(keyHash);
  }

  /** Forgets the caller of a refused key, so no work starts early for it, and remembers the refusal. */
  refuse(keyHash: string): void {
    this.#callers.forget(keyHash);
    this.#refused.remember(keyHash, true, 0);
  }

  /** Whether the last look-up of the key refused it. */
  wasRefused(keyHash: string): boolean {
    return this.#refused.get(keyHash, 0) === true;
  }
}
