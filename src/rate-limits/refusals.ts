import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import { Memory } from "../core/memory.ts";
import { countedNetworks } from "./address.ts";
import { counterOf, countIn } from "./counter.ts";

/** Counts refusals by address. Further look-ups from an address above the limit are slowed down. */
export interface RefusalLimit {
  /**
   * Waits for a slot of an address. Above the limit, its look-ups run one after the other with a pause, so that a
   * correct secret still works and guessing costs little. Returns the seconds after which to try again if too many
   * wait; otherwise 0.
   */
  waitForSlot(address: string): Promise<number>;
  /** The seconds until an address is below its limit again; 0 if it is. */
  waitOf(address: string): number;
  /** Counts a refusal. */
  refuse(address: string): Promise<void>;
}

/** The number of networks above their limit that an isolate remembers. */
const MAX_NETWORKS = 10_000;
/** The pause between two look-ups for a network above its limit, in milliseconds. */
const PAUSE = SECOND / 4;
/** The maximum number of waiting look-ups per network. */
const MAX_WAITING = 20;
/** The number of refusals per network, as a multiple of the binding's limit: for an address or /64, a /56, a /48. */
const MULTIPLES = [1, 2, 4] as const;

/**
 * The limit by the platform's binding, which only reports that it is exceeded. The network then stays above its limit
 * in this isolate for a minute. `times`: the factor on the binding's limit.
 */
export function createRefusalLimit(binding: RateLimit | undefined, times: number, clock: Clock): RefusalLimit {
  const counters = MULTIPLES.map((multiple) => counterOf(binding, multiple * times));
  const overSince = new Memory<number>(MINUTE, MAX_NETWORKS);
  /**
   * The start of the last look-up of a network. Each request waits by its own timer, so an aborted request delays no
   * other.
   */
  const lastTurns = new Memory<number>(MINUTE, MAX_NETWORKS);
  const overLimit = (address: string) => countedNetworks(address).find((network) => overSince.get(network, clock.now()) !== undefined);
  const waitOf = (address: string) => {
    const network = overLimit(address);
    const since = network === undefined ? undefined : overSince.get(network, clock.now());
    return since === undefined ? 0 : Math.ceil((since + MINUTE - clock.now()) / SECOND);
  };
  return {
    waitOf,
    async waitForSlot(address) {
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
