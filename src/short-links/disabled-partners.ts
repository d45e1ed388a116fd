import * as z from "zod";
import { MINUTE, SECOND } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";

/** Its name in KV. No slug has a hyphen. */
const NAME = "disabled-partners";
/** How long an isolate, and KV near it, remember the list: together less than two minutes. */
const REMEMBERED_FOR = 1 * MINUTE;
const CACHED_FOR = 30 * SECOND;
/** After KV failed, or while somebody reads. */
const RETRY_AFTER = 10 * SECOND;

const listSchema = z.array(z.string());

/**
 * The partners whose short links lead nowhere, because an operator has disabled them. The list is in KV, so that a redirect
 * asks no database: once a minute in each isolate.
 */
export class DisabledPartners {
  #ids: ReadonlySet<string> | null = null;
  #until = 0;

  /** Whether the list must be read before it is relied on. */
  isDue(now: number): boolean {
    return now >= this.#until;
  }

  /** By the list as it was read last. */
  has(partnerId: string): boolean {
    return this.#ids?.has(partnerId) ?? false;
  }

  /**
   * Reads the list. Others rely on the last one meanwhile, and read it themselves if there is none yet: a request never
   * waits for what another one reads, because the runtime may end that one. If KV fails, the list stays as it was.
   */
  async refresh(kv: KVNamespace, now: number, log: Log): Promise<void> {
    if (this.#ids !== null) this.#until = now + RETRY_AFTER;
    try {
      this.#ids = new Set(listSchema.parse((await kv.get(NAME, { type: "json", cacheTtl: CACHED_FOR / SECOND })) ?? []));
      this.#until = now + REMEMBERED_FOR;
    } catch (thrown) {
      log.error("disabled partners not read", errorFields(thrown));
      this.#until = now + RETRY_AFTER;
    }
  }

  /** What has just been changed counts here at once. */
  forget(): void {
    this.#until = 0;
  }
}

/** Makes KV's list this one, unless it is. Returns whether it was another. */
export async function writeDisabledPartners(kv: KVNamespace, ids: readonly string[]): Promise<boolean> {
  const wanted = JSON.stringify(ids.toSorted((left, right) => (left < right ? -1 : 1)));
  if (((await kv.get(NAME)) ?? "[]") === wanted) return false;
  await kv.put(NAME, wanted);
  return true;
}
