import type { Caller } from "../partners/authenticate.ts";

/**
 * A read that starts during the key check, for the caller that this isolate remembers for the key. Its answer is used
 * only if the check returns the same caller.
 */
export class SpeculativeRead<Answer> {
  readonly #read: (caller: Caller) => Promise<Answer> | null;
  #started: { readonly caller: Caller; readonly answer: Promise<Answer> } | null = null;

  /** @param read starts the read; null if this caller may not read it. */
  constructor(read: (caller: Caller) => Promise<Answer> | null) {
    this.#read = read;
  }

  /** Starts the read for the remembered caller of the key. */
  start(remembered: Caller): void {
    const answer = this.#read(remembered);
    if (answer === null) return;
    // If the key is refused, the answer is never awaited.
    answer.catch(() => undefined);
    this.#started = { caller: remembered, answer };
  }

  /** The answer for the caller of the key; undefined if no read was started for this caller. */
  answerFor({ partnerId, cell }: Caller): Promise<Answer> | undefined {
    // The partner may have moved to another cell since; then the result is not used.
    const isSame = this.#started?.caller.partnerId === partnerId && this.#started.caller.cell === cell;
    return isSame ? this.#started?.answer : undefined;
  }
}
