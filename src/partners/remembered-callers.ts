/** Keys that an isolate remembers. */
const MAX_REMEMBERED = 10_000;

/**
 * Whose a key was when this isolate last saw it, by the key's hash. It is a guess: work may begin with it while the
 * directory is asked, and nothing is answered before the directory has confirmed it.
 */
export class RememberedCallers<Caller> {
  readonly #callers = new Map<string, Caller>();

  get(keyHash: string): Caller | undefined {
    return this.#callers.get(keyHash);
  }

  remember(keyHash: string, caller: Caller): void {
    if (this.#callers.size >= MAX_REMEMBERED && !this.#callers.has(keyHash)) this.#callers.clear();
    this.#callers.set(keyHash, caller);
  }

  /** A key that was refused begins nothing any more. */
  forget(keyHash: string): void {
    this.#callers.delete(keyHash);
  }
}
