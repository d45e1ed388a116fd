/** A rate-limit counter of the platform. Its limit and period are in wrangler.toml. */
export interface Counter {
  /** Undefined if the binding is missing: then nothing is limited. */
  readonly binding: RateLimit | undefined;
  /** Multiplies the binding's limit: each key is spread over `times` counters in round robin. */
  readonly times: number;
  /** The position in the round robin. */
  turn: number;
}

export function counterOf(binding: RateLimit | undefined, times: number): Counter {
  return { binding, times, turn: 0 };
}

/** Counts one request of a key. False above the limit of this minute. A failing counter allows the request. */
export async function countIn(counter: Counter, key: string): Promise<boolean> {
  if (counter.binding === undefined) return true;
  counter.turn = (counter.turn + 1) % counter.times;
  try {
    const { success } = await counter.binding.limit({ key: `${key} ${counter.turn}` });
    return success;
  } catch {
    return true;
  }
}
