import { type Clock, SECOND } from "./clock.ts";
import type { Environment } from "./environment.ts";
import { limits } from "./limits.ts";

/** How often a waiting call asks for a slot, in milliseconds. */
const ASK_EVERY = 500;

type MayCall = (environment: Environment) => Promise<boolean>;

const always: MayCall = () => Promise.resolve(true);

/**
 * The budget of an operation's upstream calls: the time by which they must finish, and the rate limit that they share. It is
 * passed to every call of the operation.
 */
export class CallBudget {
  readonly #clock: Clock;
  readonly #at: number;
  readonly #mayCall: MayCall;
  /** The environment of the calls: each has its own rate-limit slots. */
  environment: Environment = "live";
  /** Number of retries of calls under this budget. */
  retries = 0;

  /**
   * `budget` in milliseconds from now. `mayCall` returns whether the rate limit has a slot now; otherwise the call
   * waits.
   */
  constructor(clock: Clock, budget: number, mayCall: MayCall = always) {
    this.#clock = clock;
    this.#at = clock.now() + budget;
    this.#mayCall = mayCall;
  }

  /** Waits for a rate-limit slot. False if none came in time. */
  async waitForSlot(): Promise<boolean> {
    while (!(await this.#mayCall(this.environment))) {
      if (this.remaining() <= ASK_EVERY) return false;
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY));
    }
    return true;
  }

  /** Milliseconds left, never negative. */
  remaining(): number {
    return Math.max(0, this.#at - this.#clock.now());
  }
}

/** The time that the upstream calls of one request have, in milliseconds. */
export const UPSTREAM_BUDGET = limits.upstream.seconds * SECOND;

/** The budget of the upstream calls of one request, from now on. `mayCall`: as in {@link CallBudget}. */
export const upstreamBudget = (clock: Clock, mayCall?: MayCall): CallBudget => new CallBudget(clock, UPSTREAM_BUDGET, mayCall);
