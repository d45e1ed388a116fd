import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import { Memory } from "../core/memory.ts";
import { countedNetworks } from "./address.ts";
import { counterOf, countIn } from "./counter.ts";

/** Counts what was refused by address. An address that was refused too often gets slow. */
export interface RefusalLimit {
  /**
   * Waits for the turn of an address. While the address is over its limit, its look-ups begin one after the other, with a pause, so that a
   * right secret still works and guessing costs little. Returns the seconds after which to try again if too many wait; otherwise 0.
   */
  turn(address: string): Promise<number>;
  /** How many seconds an address is over its limit; 0 if it is not. */
  waitOf(address: string): number;
  /** Counts a refusal. */
  refuse(address: string): Promise<void>;
}

/** Networks over their limit that an isolate remembers at a time. */
const MAX_NETWORKS = 10_000;
/** Between two look-ups for a network that is over its limit, in milliseconds. */
const PAUSE = SECOND / 4;
/** Look-ups that wait for a network at a time. */
const MAX_WAITING = 20;
/** How often a network may be refused, as a multiple of the binding's limit: an address or /64, a /56, a /48. */
const MULTIPLES = [1, 2, 4] as const;

/**
 * The limit by the platform's binding, which only tells that a refusal was one too many. From then on the network is over its limit in
 * this isolate for a minute. `times`: so many times the limit of the binding.
 */
export function createRefusalLimit(binding: RateLimit | undefined, times: number, clock: Clock): RefusalLimit {
  const counters = MULTIPLES.map((multiple) => counterOf(binding, multiple * times));
  const overSince = new Memory<number>(MINUTE, MAX_NETWORKS);
  /** When the last look-up of a network begins. Each request waits by a timer of its own, so that one that ends early holds up no other. */
  const lastTurns = new Memory<number>(MINUTE, MAX_NETWORKS);
  const overLimit = (address: string) => countedNetworks(address).find((network) => overSince.get(network, clock.now()) !== undefined);
  const waitOf = (address: string) => {
    const network = overLimit(address);
    const since = network === undefined ? undefined : overSince.get(network, clock.now());
    return since === undefined ? 0 : Math.ceil((since + MINUTE - clock.now()) / SECOND);
  };
  return {
    waitOf,
    async turn(address) {
      const network = overLimit(address);
      if (network === undefined) return 0;
      const now = clock.now();
      const begins = Math.max(lastTurns.get(network, now) ?? 0, now) + PAUSE;
      if (begins - now > MAX_WAITING * PAUSE) return Math.ceil((MAX_WAITING * PAUSE) / SECOND);
      lastTurns.remember(network, begins, now);
      await new Promise((resolve) => setTimeout(resolve, begins - now));
      return 0;
    },
    async refuse(address) {
      for (const [level, network] of countedNetworks(address).entries()) {
        const counter = counters[level];
        if (counter !== undefined && !(await countIn(counter, network))) overSince.remember(network, clock.now(), clock.now());
      }
    },
  };
}
