import { and, inArray, isNull, lt, or } from "drizzle-orm";
import { HOUR } from "../core/clock.ts";
import { Memory } from "../core/memory.ts";
import { type InDirectory, inList } from "../db/client.ts";
import { apiKeys } from "../db/schema/partners.ts";

/** The number of keys whose written use an isolate remembers. */
const SIZE = 10_000;

const hourOf = (now: number) => now - (now % HOUR);

/**
 * The last use of keys, by the hour: at most one write per key and hour, after the answer of the request that used it.
 */
export class KeyUses {
  readonly #written = new Memory<true>(HOUR, SIZE);
  readonly #pending = new Set<string>();

  /** Notes the use of a key. `lastUsedAt` is the value in its row. */
  note(keyHash: string, lastUsedAt: number | null, now: number): void {
    if ((lastUsedAt ?? 0) >= hourOf(now) || this.#written.get(keyHash, now) === true) return;
    this.#written.remember(keyHash, true, hourOf(now));
    this.#pending.add(keyHash);
  }

  /** Writes the noted uses; null if there are none. One D1 round trip. */
  write({ directory, clock }: InDirectory): Promise<unknown> | null {
    if (this.#pending.size === 0) return null;
    const hashes = [...this.#pending];
    this.#pending.clear();
    const hour = hourOf(clock.now());
    const isEarlier = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, hour));
    return directory
      .update(apiKeys)
      .set({ lastUsedAt: hour })
      .where(and(inArray(apiKeys.keyHash, inList(hashes)), isEarlier))
      .run();
  }
}
