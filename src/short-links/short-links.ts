import type { IdCode } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Cell } from "../db/client.ts";
import type { FindInCell } from "../db/find-in-cell.ts";
import { OwnershipLost } from "../idempotency/store.ts";
import type { DisabledPartners } from "./disabled-partners.ts";
import type { HotLinks } from "./hot-links.ts";
import { hasRightCheck, newSlug } from "./slug.ts";
import { findTarget } from "./store.ts";
import { fromCache, isCheckout, type Target, toCache } from "./target.ts";

/** The delay before the first retry, in milliseconds; the second delay is twice as long. */
const RETRY_DELAY = 100;

export interface CacheDeps {
  readonly shortLinkCache: KVNamespace;
  readonly log: Log;
}

/** What a slug leads to. `disabled`: its partner is. */
export type Resolved = { readonly found: "target"; readonly target: Target } | { readonly found: "disabled" | "nothing" };

/** Where a target is remembered: in KV, and in this isolate. */
export interface LinkCache extends CacheDeps {
  readonly hotLinks: HotLinks;
}

/** Dependencies of a redirect. The slug leads to the cell that has its link. */
interface RedirectDeps extends LinkCache {
  readonly disabledPartners: DisabledPartners;
  /** Where customers may be led. */
  readonly checkoutOrigins: readonly string[] | null;
  readonly clock: Clock;
  readonly findInCell: FindInCell<{ readonly db: Cell }>;
}

/**
 * Issues the short link of a payment link: D1 is the source of truth, KV is the read cache. `write` stores the slug in the link's row, in one transaction with all related
 * changes; a slug that is taken makes it fail. It is called up to three times, each time with a new slug (interface L.4).
 * @throws ServiceFailure `short_link_unavailable` if all three attempts failed: the payment link still waits for one.
 */
export async function issueShortLink<Result>(
  deps: CacheDeps,
  link: Target & { readonly id: string; readonly idCode: IdCode },
  write: (slug: string) => Promise<Result>,
): Promise<Result> {
  let lastError: unknown;
  for (let attempt = 1; attempt <= limits.shortLink.attempts; attempt += 1) {
    const slug = newSlug(link.idCode);
    try {
      const result = await write(slug);
      await writeCache(deps, slug, link);
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

/**
 * What a slug leads to. Read from KV; on a cache miss read from D1 and
 * written to KV. A text with a wrong check, that begins with the code of no cell, or that was unknown just now costs no D1
 * round trip.
 * @param isMissingInCache KV has been asked already, and does not have it.
 * @param later runs a task in the background, after the response.
 */
export async function resolveShortLink(
  deps: RedirectDeps,
  slug: string,
  isMissingInCache: boolean,
  later: (task: Promise<void>) => void,
): Promise<Resolved> {
  const { hotLinks, disabledPartners, clock } = deps;
  if (!hasRightCheck(slug) || hotLinks.isUnknown(slug, clock.now())) return NOTHING;
  if (disabledPartners.isDue(clock.now())) await disabledPartners.refresh(deps.shortLinkCache, clock.now(), deps.log);
  const cached = isMissingInCache ? null : await readCache(deps, slug);
  // What else stands in KV was not written by this service.
  const known = cached !== null && isCheckout(cached, deps.checkoutOrigins) ? cached : null;
  const stored = known === null ? await deps.findInCell(slug, ({ db }) => findTarget(db, slug)) : null;
  const target = known ?? stored?.found;
  if (target === undefined) {
    hotLinks.rememberUnknown(slug, clock.now());
    return NOTHING;
  }
  if (disabledPartners.has(target.partnerId)) return { found: "disabled" };
  if (!isCheckout(target, deps.checkoutOrigins))
    throw new Error(`the short link ${slug} leads to an address that CHECKOUT_ORIGINS does not name`);
  hotLinks.remember(slug, target, clock.now());
  if (stored !== null) later(cacheUnlessDisabled(deps, stored.cell.db, slug, target));
  return { found: "target", target };
}

const NOTHING: Resolved = { found: "nothing" };

/** Reads again after the write: a link that was disabled in between would stay in KV for good. */
async function cacheUnlessDisabled(deps: LinkCache, db: Cell, slug: string, target: Target): Promise<void> {
  await writeCache(deps, slug, target);
  if ((await findTarget(db, slug)) === undefined) await dropFromCache(deps, slug);
}

/**
 * Takes a slug out of KV and of this isolate. Elsewhere it is remembered for two minutes at most. Never fails: the cron does
 * it again, because KV takes one write of a key in a second.
 */
export async function dropFromCache({ shortLinkCache, hotLinks, log }: LinkCache, slug: string): Promise<void> {
  hotLinks.forget(slug);
  try {
    await shortLinkCache.delete(slug);
  } catch (thrown) {
    log.error("KV delete failed", errorFields(thrown));
  }
}

/** From KV; null on a cache miss, or if KV fails. The caller then reads D1. */
async function readCache(deps: CacheDeps, slug: string): Promise<Target | null> {
  try {
    const text = await deps.shortLinkCache.get(slug);
    return text === null ? null : fromCache(text);
  } catch (thrown) {
    deps.log.error("KV read failed", errorFields(thrown));
    return null;
  }
}

/** Writes a target to KV. Never fails: without it, the next redirect costs one more D1 read and writes to KV again. */
async function writeCache(deps: CacheDeps, slug: string, target: Target): Promise<void> {
  try {
    await deps.shortLinkCache.put(slug, toCache(target));
  } catch (thrown) {
    deps.log.error("KV write failed", errorFields(thrown));
  }
}
