import { MINUTE, SECOND } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";

/** The KV key of the list. Slugs contain no hyphen. */
const NAME = "disabled-partners";
/** How long an isolate, and KV's local cache, keep the list: together less than two minutes. */
const REMEMBERED_FOR = 1 * MINUTE;
const CACHED_FOR = 30 * SECOND;
/** The retry interval after a KV failure, or during another request's read. */
const RETRY_AFTER = 10 * SECOND;

/**
 * The partners that an operator has disabled. Their short links lead nowhere. The list is in KV, so a redirect needs no
 * database; each isolate reads it once a minute.
 */
export class DisabledPartners {
  #ids: ReadonlySet<string> | null = null;
  #until = 0;

  /** Whether the list must be read before it is used. */
  isDue(now: number): boolean {
    return now >= this.#until;
  }

  /** By the last list that was read. */
  has(partnerId: string): boolean {
    return this.#ids?.has(partnerId) ?? false;
  }

  /**
   * Reads the list. Other requests use the last list, or read it themselves if there is none: a request never waits for
   * another request's read, because the runtime may end that one. If KV fails, the list stays.
   */
  async refresh(kv: KVNamespace, now: number, log: Log): Promise<void> {
    if (this.#ids !== null) this.#until = now + RETRY_AFTER;
    try {
      const list = await kv.get(NAME, { type: "json", cacheTtl: CACHED_FOR / SECOND });
      this.#ids = new Set(readList(list ?? []));
      this.#until = now + REMEMBERED_FOR;
    } catch (thrown) {
      log.error("disabled partners not read", errorFields(thrown));
      this.#until = now + RETRY_AFTER;
    }
  }

  /** Makes a change take effect in this isolate at once. */
  forget(): void {
    this.#until = 0;
  }
}

function readList(list: unknown): readonly string[] {
  if (!Array.isArray(list) || !list.every((id) => typeof id === "string")) throw new Error("the list of disabled partners is damaged");
  return list;
}

/** Writes the list to KV, unless it is unchanged. Returns whether it changed. */
export async function writeDisabledPartners(kv: KVNamespace, ids: readonly string[]): Promise<boolean> {
  const wanted = JSON.stringify(ids.toSorted((left, right) => (left < right ? -1 : 1)));
  if (((await kv.get(NAME)) ?? "[]") === wanted) return false;
  await kv.put(NAME, wanted);
  return true;
}
