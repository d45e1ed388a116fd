import type { Caller } from "../partners/authenticate.ts";

/** An answer that was begun for the caller whose key it was before. It counts only if the key is still that caller's. */
export class EarlyAnswer<Answer> {
  #begun: { readonly caller: Caller; readonly answer: Promise<Answer> } | null = null;

  begin(caller: Caller, answer: Promise<Answer>): void {
    // If the key is refused, nobody waits for it.
    answer.catch(() => undefined);
    this.#begun = { caller, answer };
  }

  /** Undefined if nothing was begun for this caller. */
  of({ partnerId, cell }: Caller): Promise<Answer> | undefined {
    // Whoever was split or has moved is in another cell since.
    const isSame = this.#begun?.caller.partnerId === partnerId && this.#begun.caller.cell === cell;
    return isSame ? this.#begun?.answer : undefined;
  }
}
