import type { Clock } from "./clock.ts";

/** A moment by which a piece of work must be done, carried down to every call that it makes. */
export class Deadline {
  readonly #clock: Clock;
  readonly #at: number;
  /** How often a call under this deadline was tried again. */
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
