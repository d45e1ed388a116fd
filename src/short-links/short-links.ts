import { ServiceFailure } from "../core/errors.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Database, Statement } from "../db/client.ts";
import { OwnershipLost } from "../idempotency/store.ts";
import { randomSlug } from "./slug.ts";
import { findTarget, insertShortLink } from "./store.ts";

const MOST_ATTEMPTS = 3;
/** In milliseconds; the second one is twice as long. */
const PAUSE = 100;

/** What short links need: the truth in D1, and KV as the fast way to it. */
export interface ShortLinkTools {
  readonly db: Database;
  readonly shortLinkCache: KVNamespace;
  readonly log: Log;
}

/**
 * Issues the short link of a payment link. `write` gets the slug and the row, and stores both with whatever must
 * stand or fall with them; it is called up to three times, each with a new slug.
 * @throws ServiceFailure `short_link_unavailable` when all three failed: the payment link then waits for its own.
 */
export async function issueShortLink<Result>(
  tools: ShortLinkTools,
  link: { readonly id: string; readonly url: string },
  now: number,
  write: (slug: string, row: Statement) => Promise<Result>,
): Promise<Result> {
  let lastFault: unknown;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const slug = randomSlug();
    try {
      const result = await write(slug, insertShortLink(tools.db, slug, link.id, now));
      await publish(tools, slug, link.url);
      return result;
    } catch (thrown) {
      // Not the short link's fault, and no second attempt could mend it: somebody else is at work on this key.
      if (thrown instanceof OwnershipLost) throw thrown;
      lastFault = thrown;
      tools.log.error("short link not issued", { payment_link: link.id, attempt, ...describeThrown(thrown) });
      if (attempt < MOST_ATTEMPTS) await new Promise((resolve) => setTimeout(resolve, attempt * PAUSE));
    }
  }
  throw new ServiceFailure({ kind: "short_link_unavailable" }, { cause: lastFault });
}

/**
 * Where a slug leads: KV's answer, or D1's where KV does not know (yet), which is then told to KV. Null: nowhere.
 * @param later runs what nobody has to wait for.
 */
export async function resolveShortLink(tools: ShortLinkTools, slug: string, later: (task: Promise<void>) => void): Promise<string | null> {
  const known = await look(tools, slug);
  if (known !== null) return known;
  const target = await findTarget(tools.db, slug);
  if (target === undefined) return null;
  later(publish(tools, slug, target));
  return target;
}

/** What KV knows; nothing where KV itself fails, and then D1 is asked. */
async function look(tools: ShortLinkTools, slug: string): Promise<string | null> {
  try {
    return await tools.shortLinkCache.get(slug);
  } catch (thrown) {
    tools.log.error("KV does not answer", describeThrown(thrown));
    return null;
  }
}

/** Never fails: without KV a redirect costs one D1 read more, and that read tries again. */
async function publish(tools: ShortLinkTools, slug: string, url: string): Promise<void> {
  try {
    await tools.shortLinkCache.put(slug, url);
  } catch (thrown) {
    tools.log.error("short link not in KV", describeThrown(thrown));
  }
}
