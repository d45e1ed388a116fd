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

/** Look-ups for one network, one after the other. */
interface Lane {
  waiting: number;
  last: Promise<void>;
}

/**
 * The limit by the platform's binding, which only tells that a refusal was one too many. From then on the network is over its limit in
 * this isolate for a minute. `times`: so many times the limit of the binding.
 */
export function createRefusalLimit(binding: RateLimit | undefined, times: number, clock: Clock): RefusalLimit {
  const counters = MULTIPLES.map((multiple) => counterOf(binding, multiple * times));
  const overSince = new Memory<number>(MINUTE, MAX_NETWORKS);
  const lanes = new Map<string, Lane>();
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
      const lane = lanes.get(network) ?? { waiting: 0, last: Promise.resolve() };
      if (lane.waiting >= MAX_WAITING) return waitOf(address);
      lanes.set(network, lane);
      lane.waiting += 1;
      lane.last = lane.last.then(() => new Promise((resolve) => setTimeout(resolve, PAUSE)));
      await lane.last;
      lane.waiting -= 1;
      if (lane.waiting === 0) lanes.delete(network);
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
