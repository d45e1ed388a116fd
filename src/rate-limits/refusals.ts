import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import { Memory } from "../core/memory.ts";
import { type Counter, countIn } from "./counter.ts";

/** Counts what was refused by address, and turns an address away that was refused too often. */
export interface RefusalLimit {
  /** How many seconds an address must wait; 0 if it may try. */
  waitOf(address: string): number;
  /** Counts a refusal. */
  refuse(address: string): Promise<void>;
}

/** Addresses that an isolate turns away at a time. */
const MAX_ADDRESSES = 10_000;

/**
 * The limit by the platform's binding, which only tells that a refusal was one too many. From then on the isolate turns the
 * address away for a minute, also with the right secret: otherwise guessing would go on.
 */
export function createRefusalLimit(counter: Counter, clock: Clock): RefusalLimit {
  const turnedAwaySince = new Memory<number>(MINUTE, MAX_ADDRESSES);
  return {
    waitOf(address) {
      const now = clock.now();
      const since = turnedAwaySince.get(address, now);
      return since === undefined ? 0 : Math.ceil((since + MINUTE - now) / SECOND);
    },
    async refuse(address) {
      if (await countIn(counter, address)) return;
      const now = clock.now();
      turnedAwaySince.remember(address, now, now);
    },
  };
}
