import { errorFields, type Log } from "../core/log.ts";
import type { SlugMemory } from "./slug-memory.ts";
import { type Target, toCache } from "./target.ts";

export interface CacheDeps {
  readonly shortLinkCache: KVNamespace;
  readonly log: Log;
}

/** The caches of a target: KV, and this isolate. */
export interface LinkCache extends CacheDeps {
  readonly slugMemory: SlugMemory;
}

/**
 * Deletes a slug from KV and from this isolate. Other isolates keep it for two minutes at most. Never throws, and
 * returns whether KV took it: the cron repeats it for a link that was disabled or whose limits have changed, because KV takes one
 * write per second for a key.
 */
export async function dropFromCache({ shortLinkCache, slugMemory, log }: LinkCache, slug: string): Promise<boolean> {
  slugMemory.forget(slug);
  try {
    await shortLinkCache.delete(slug);
    return true;
  } catch (thrown) {
    log.error("KV delete failed", errorFields(thrown));
    return false;
  }
}

/** Writes a target to KV. Never fails: without it, the next redirect costs one more D1 read and writes to KV again. */
export async function writeCache(deps: CacheDeps, slug: string, target: Target): Promise<void> {
  try {
    await deps.shortLinkCache.put(slug, toCache(target));
  } catch (thrown) {
    deps.log.error("KV write failed", errorFields(thrown));
  }
}
