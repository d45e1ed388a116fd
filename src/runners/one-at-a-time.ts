import { timeOut } from "../core/time-out.ts";

/**
 * Runs the same work for all callers, one run at a time. Callers that arrive during a run share one follow-up run, so
 * each caller sees a run that started after its call. A run longer than `longest` milliseconds is not waited for.
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

  /** Resolves with the run that started after this call. @throws what the work throws */
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
    // The callers of that run get its failure.
    await Promise.race([run.catch(() => undefined), limit.over]);
    limit.cancel();
  }
}
