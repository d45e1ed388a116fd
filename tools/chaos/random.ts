import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Random numbers by seed: the same seed gives the same numbers in the same order. */
export class Random {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    return uniformFloat64(this.#generator);
  }

  /** A whole number, both bounds included. */
  between(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  happens(share: number): boolean {
    return this.next() < share;
  }

  /** Undefined if there is none. */
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.next() * items.length)];
  }

  /** A random choice by weight. */
  weighted<Item>(items: readonly (readonly [number, Item])[]): Item {
    let left = this.next() * items.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    const last = items.at(-1);
    if (last === undefined) throw new Error("there is nothing to choose from");
    return last[1];
  }
}
