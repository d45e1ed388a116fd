import type { Clock } from "./clock.ts";

/** The time by which an operation must finish. It is passed to every call that the operation makes. */
export class Deadline {
  readonly #clock: Clock;
  readonly #at: number;
  /** Number of retries of calls under this deadline. */
  retries = 0;

  /** `budget` in milliseconds from now. */
  constructor(clock: Clock, budget: number) {
    this.#clock = clock;
    this.#at = clock.now() + budget;
  }

  /** Milliseconds left, never negative. */
  remaining(): number {
    return Math.max(0, this.#at - this.#clock.now());
  }
}
