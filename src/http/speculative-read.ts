import type { Caller } from "../partners/authenticate.ts";

/**
 * A read that starts while the key is still being checked, for the caller that this isolate remembers for it. Its answer counts
 * only if the key turns out to be that caller's.
 */
export class SpeculativeRead<Answer> {
  readonly #read: (caller: Caller) => Promise<Answer> | null;
  #started: { readonly caller: Caller; readonly answer: Promise<Answer> } | null = null;

  /** @param read starts the read; null if this caller may not have it. */
  constructor(read: (caller: Caller) => Promise<Answer> | null) {
    this.#read = read;
  }

  /** Starts the read for the caller that the key had before. */
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
