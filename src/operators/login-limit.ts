import { type Clock, MINUTE, SECOND } from "../core/clock.ts";

/** Counts refused operators by address, and turns an address away that was refused too often. */
export interface LoginLimit {
  /** How many seconds an address must wait; 0 if it may try. */
  waitOf(address: string): number;
  /** Counts a refusal. */
  refuse(address: string): Promise<void>;
}

/** The period of the binding in wrangler.toml. */
const PERIOD = MINUTE;
/** Addresses that an isolate turns away at a time. */
const MAX_ADDRESSES = 10_000;

/**
 * The limit by the platform's binding, which only tells that a refusal was one too many. From then on the isolate turns the
 * address away, also with the right token: otherwise guessing would go on.
 * @param times so many times the binding's limit: each address has so many counters, in turn.
 */
export function createLoginLimit(binding: RateLimit, clock: Clock, times: number): LoginLimit {
  const turnedAwayUntil = new Map<string, number>();
  let refused = 0;
  return {
    waitOf(address) {
      return Math.max(0, Math.ceil(((turnedAwayUntil.get(address) ?? 0) - clock.now()) / SECOND));
    },
    async refuse(address) {
      refused += 1;
      const { success } = await binding.limit({ key: `${address} ${refused % times}` });
      if (success) return;
      if (turnedAwayUntil.size >= MAX_ADDRESSES) turnedAwayUntil.clear();
      turnedAwayUntil.set(address, clock.now() + PERIOD);
    },
  };
}
