import { and, desc, eq, lt, sql } from "drizzle-orm";
import { DAY, MINUTE, startOfUtcDay } from "../core/clock.ts";
import { limits } from "../core/limits.ts";
import { Memory } from "../core/memory.ts";
import type { Directory, InDirectory } from "../db/client.ts";
import { type KeyRefusal, keyRefusals, refusedKeys } from "../db/schema/partners.ts";

export { keyRefusals };
export type RefusedKey = typeof refusedKeys.$inferSelect;

/** A key that was refused. Its partner and id are known if there is, or was, such a key. */
export interface Refused {
  readonly network: string;
  readonly hint: string;
  readonly reason: KeyRefusal;
  readonly partnerId: string | null;
  readonly keyId: string | null;
}

/** The number of refusals that an isolate remembers. */
const SIZE = 1_000;
const fullName = ({ network }: Refused, day: number) => `${day} ${network}`;
const nameOf = ({ network, hint, reason }: Refused) => `${network} ${hint} ${reason}`;

/**
 * Counts refused keys by day, address and hint, so that "our key does not work" has an answer. The first refusal is written after
 * its answer; those of the next minute are counted in memory and written with the next one. Only so many rows of a day are kept,
 * and of one address fewer: an address that guesses does not take the room of others.
 */
export class RefusedKeys {
  readonly #written = new Memory<true>(MINUTE, SIZE);
  readonly #counted = new Map<string, { readonly refused: Refused; count: number }>();
  /** Addresses without room for more rows, by day. */
  readonly #full = new Memory<true>(DAY, SIZE);
  #isDue = false;

  note(refused: Refused, now: number): void {
    const name = nameOf(refused);
    if (this.#full.get(fullName(refused, startOfUtcDay(now)), now) === true) return;
    if (this.#counted.size >= SIZE && !this.#counted.has(name)) return;
    const known = this.#counted.get(name);
    if (known === undefined) this.#counted.set(name, { refused, count: 1 });
    else known.count += 1;
    // Remembered from its writing on: a caller that repeats without a pause is written once a minute, too.
    if (this.#written.get(name, now) === true) return;
    this.#isDue = true;
    this.#written.remember(name, true, now);
  }

  /** Writes the counted refusals; null if none is due. One D1 round trip. */
  write({ directory, clock }: InDirectory): Promise<unknown> | null {
    if (!this.#isDue) return null;
    this.#isDue = false;
    const rows = [...this.#counted.values()].map(({ refused, count }) => ({ ...refused, count }));
    this.#counted.clear();
    return this.#insert(directory, rows, clock.now());
  }

  async #insert(directory: Directory, rows: readonly (Refused & { readonly count: number })[], now: number): Promise<void> {
    const day = startOfUtcDay(now);
    const { count } = refusedKeys;
    const { perDay, perAddress } = limits.refusedKeys;
    const ofDay = sql`SELECT count(*) FROM ${refusedKeys} WHERE ${refusedKeys.day} = ${day}`;
    // The rows of an address in one batch are counted, too: a batch may hold more of them than there is room for.
    const isBelow = sql`(${ofDay}) < ${perDay} AND (${ofDay} AND ${refusedKeys.network} = value ->> 'network') + place <= ${perAddress}`;
    const { meta } = await directory
      .insert(refusedKeys)
      .select(
        sql`SELECT ${day}, value ->> 'network', value ->> 'hint', value ->> 'reason', value ->> 'partnerId', value ->> 'keyId', value ->> 'count', ${now}, ${now}
          FROM (SELECT value, row_number() OVER (PARTITION BY value ->> 'network') AS place FROM json_each(${JSON.stringify(rows)}))
          WHERE ${isBelow}`,
      )
      .onConflictDoUpdate({
        target: [refusedKeys.day, refusedKeys.network, refusedKeys.hint, refusedKeys.reason],
        set: { count: sql`${count} + excluded.count`, lastAt: now },
      });
    // Nothing was written: there is no room for these addresses, and this isolate asks no more for them until the next day.
    if (meta.changes === 0) for (const row of rows) this.#full.remember(fullName(row, day), true, now);
  }
}

/** Which refused keys to list. `before`: the last row of the page before. */
export interface RefusedKeySearch {
  readonly partnerId: string | undefined;
  readonly network: string | undefined;
  readonly hint: string | undefined;
  readonly before: { readonly day: number; readonly network: string; readonly hint: string; readonly reason: string } | undefined;
  readonly limit: number;
}

/** Refused keys, the newest day first. The rows of a day are few, and days are few. */
export function listRefusedKeys(
  directory: Directory,
  { partnerId, network, hint, before, limit }: RefusedKeySearch,
): Promise<RefusedKey[]> {
  const { day, reason } = refusedKeys;
  return directory
    .select()
    .from(refusedKeys)
    .where(
      and(
        partnerId === undefined ? undefined : eq(refusedKeys.partnerId, partnerId),
        network === undefined ? undefined : eq(refusedKeys.network, network),
        hint === undefined ? undefined : eq(refusedKeys.hint, hint),
        before &&
          sql`(${day}, ${refusedKeys.network}, ${refusedKeys.hint}, ${reason}) < (${before.day}, ${before.network}, ${before.hint}, ${before.reason})`,
      ),
    )
    .orderBy(desc(day), desc(refusedKeys.network), desc(refusedKeys.hint), desc(reason))
    .limit(limit)
    .all();
}

/** Deletes refused keys from before a time (Unix milliseconds). */
export async function expireRefusedKeys(directory: Directory, before: number) {
  const { meta } = await directory.delete(refusedKeys).where(lt(refusedKeys.day, startOfUtcDay(before)));
  return { changed: meta.changes, isAtEnd: true };
}
