import type { IdCode } from "../core/cell-code.ts";
import { ServiceFailure } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { errorFields } from "../core/log.ts";
import { OwnershipLost } from "../idempotency/store.ts";
import { type CacheDeps, writeCache } from "./cache.ts";
import { newSlug } from "./slug.ts";
import type { Target } from "./target.ts";

/** The delay before the first retry, in milliseconds; the second delay is twice as long. */
const RETRY_DELAY = 100;

/**
 * Issues the short link of a payment link: D1 is the source of truth, KV is the read cache. `write` stores the slug in
 * the link's row, in one transaction with all related changes; a taken slug makes it fail. It is called up to three
 * times, each time with a new slug (interface L.4).
 * @throws ServiceFailure `short_link_unavailable` if all three attempts failed: the payment link still lacks its short
 * link.
 */
export async function issueShortLink<Result>(
  deps: CacheDeps,
  link: Omit<Target, "closesAt"> & { readonly id: string; readonly idCode: IdCode },
  write: (slug: string) => Promise<Result>,
): Promise<Result> {
  let lastError: unknown;
  for (let attempt = 1; attempt <= limits.shortLink.attempts; attempt += 1) {
    const slug = newSlug(link.idCode);
    try {
      const result = await write(slug);
      // Limits are set for links that customers can have.
      await writeCache(deps, slug, { ...link, closesAt: null });
      return result;
    } catch (thrown) {
      // A retry cannot help: another instance has claimed this idempotency key.
      if (thrown instanceof OwnershipLost) throw thrown;
      lastError = thrown;
      deps.log.error("short link not issued", { payment_link: link.id, attempt, ...errorFields(thrown) });
      if (attempt < limits.shortLink.attempts) await new Promise((resolve) => setTimeout(resolve, attempt * RETRY_DELAY));
    }
  }
  throw new ServiceFailure({ kind: "short_link_unavailable" }, { cause: lastError });
}
