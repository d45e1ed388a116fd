/** A counter of the platform's, whose limit and period are in wrangler.toml. */
export interface Counter {
  /** Undefined where the binding was left out: then nothing is limited. */
  readonly binding: RateLimit | undefined;
  /** So many times the limit of the binding: each key has so many counters, in turn. */
  readonly times: number;
  /** Where in the turn it is. */
  turn: number;
}

export function counterOf(binding: RateLimit | undefined, times: number): Counter {
  return { binding, times, turn: 0 };
}

/** Counts one more of a key. False if it is one too many for this minute. A counter that fails holds up nobody. */
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
