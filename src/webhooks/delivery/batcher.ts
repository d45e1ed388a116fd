interface Waiting<Asked, Answer> {
  readonly asked: Asked;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Batches calls made within `wait` milliseconds into one call of `askAll`, so that they share a database round trip.
 * `askAll` answers in the order of its inputs; if it throws, all callers get the error. A batch has at most `most`
 * inputs. 0 batches the calls of one turn of the event loop.
 */
export class Batcher<Asked, Answer> {
  readonly #askAll: (all: readonly Asked[]) => Promise<readonly Answer[]>;
  readonly #wait: number;
  readonly #most: number;
  #waiting: Waiting<Asked, Answer>[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(askAll: (all: readonly Asked[]) => Promise<readonly Answer[]>, wait: number, most: number) {
    this.#askAll = askAll;
    this.#wait = wait;
    this.#most = most;
  }

  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject });
      if (this.#waiting.length === this.#most) void this.flush();
      else this.#timer ??= setTimeout(() => void this.flush(), this.#wait);
    });
  }

  /** Sends the batch now. Resolves when all calls so far are answered; never fails. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) await this.#answer(waiting);
  }

  async #answer(waiting: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await this.#askAll(waiting.map(({ asked }) => asked));
      for (const [index, answer] of answers.entries()) waiting[index]?.resolve(answer);
      for (const { reject } of waiting.slice(answers.length)) reject(new Error("a batch was not answered completely"));
    } catch (thrown) {
      for (const { reject } of waiting) reject(thrown);
    }
  }
}
