import { timeOut } from "../core/time-out.ts";

/**
 * Does the same work for all who ask, one run at a time. Who asks while a run is under way shares the next one, which begins
 * after it: so what was so when somebody asked is always seen. A run that takes longer than `longest` milliseconds is not
 * waited for.
 */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  readonly #longest: number;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>, longest: number) {
    this.#work = work;
    this.#longest = longest;
  }

  /** Ends with the run that began after this was called. @throws what the work throws */
  ask(): Promise<void> {
    if (this.#running === null) return this.#begin();
    this.#next ??= this.#endOf(this.#running).then(() => this.#begin());
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = null;
    const run = this.#work().finally(() => {
      if (this.#running === run) this.#running = null;
    });
    this.#running = run;
    return run;
  }

  async #endOf(run: Promise<void>): Promise<void> {
    const limit = timeOut(this.#longest);
    // Whoever asked for that run hears how it ended.
    await Promise.race([run.catch(() => undefined), limit.over]);
    limit.cancel();
  }
}
