import type { Clock } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import type { Cell } from "../db/client.ts";
import type { FindById } from "../db/find-row.ts";
import type { DisabledPartners } from "./disabled-partners.ts";
import { dropFromCache, type LinkCache, writeCache } from "./short-links.ts";
import { hasRightCheck } from "./slug.ts";
import { findTarget } from "./store.ts";
import { fromCache, isCheckout, type Target } from "./target.ts";

/** The result for a slug. `disabled`: its partner is disabled. */
export type Resolved = { readonly found: "target"; readonly target: Target } | { readonly found: "disabled" | "nothing" };

/** Dependencies of {@link resolveFromMemory} and {@link resolveFromCache}. */
export interface ResolveDeps extends LinkCache {
  readonly disabledPartners: DisabledPartners;
  /** The origins to which customers may be redirected. */
  readonly checkoutOrigins: readonly string[] | null;
  readonly clock: Clock;
}

const NOTHING: Resolved = { found: "nothing" };

/**
 * The isolate's own result for a slug, without a promise, for frequently used links. A slug with a wrong check leads
 * nowhere. Undefined: KV must be asked.
 */
export function resolveFromMemory({ slugMemory, disabledPartners, clock }: ResolveDeps, slug: string): Resolved | undefined {
  const now = clock.now();
  if (!hasRightCheck(slug) || slugMemory.isUnknown(slug, now)) return NOTHING;
  const target = disabledPartners.isDue(now) ? undefined : slugMemory.get(slug, now);
  return target === undefined ? undefined : unlessDisabled(disabledPartners, target);
}

/**
 * The result for a slug from memory and KV. The list of disabled partners is read in parallel, once a minute.
 * Undefined: the database must be asked, because KV does not have the slug, fails, or has a value that this service did
 * not write.
 */
export async function resolveFromCache(deps: ResolveDeps, slug: string): Promise<Resolved | undefined> {
  const { slugMemory, disabledPartners, shortLinkCache, checkoutOrigins, clock, log } = deps;
  const known = slugMemory.get(slug, clock.now());
  const isDue = disabledPartners.isDue(clock.now());
  const [target] = await Promise.all([
    known ?? readCache(deps, slug),
    isDue ? disabledPartners.refresh(shortLinkCache, clock.now(), log) : undefined,
  ]);
  if (target === null || !isCheckout(target, checkoutOrigins)) return undefined;
  if (known === undefined) slugMemory.remember(slug, target, clock.now());
  return unlessDisabled(disabledPartners, target);
}

/**
 * The database's result for a slug, which is then stored in KV too. A slug whose code names no cell costs no round
 * trip.
 * @param later runs a task in the background, after the response.
 * @throws if the link leads to an address that the settings do not allow.
 */
export async function resolveFromDatabase(
  deps: ResolveDeps & { readonly findById: FindById<{ readonly db: Cell }> },
  slug: string,
  later: (task: Promise<void>) => void,
): Promise<Resolved> {
  const { slugMemory, disabledPartners, checkoutOrigins, clock } = deps;
  const stored = await deps.findById(slug, ({ db }) => findTarget(db, slug));
  if (stored === null) {
    slugMemory.rememberUnknown(slug, clock.now());
    return NOTHING;
  }
  const { found: target, cell } = stored;
  const resolved = unlessDisabled(disabledPartners, target);
  if (resolved.found === "disabled") return resolved;
  if (!isCheckout(target, checkoutOrigins)) {
    throw new Error(`the short link ${slug} leads to an address that CHECKOUT_ORIGINS does not name`);
  }
  slugMemory.remember(slug, target, clock.now());
  later(cacheUnlessDisabled(deps, cell.db, slug, target));
  return resolved;
}

function unlessDisabled(disabledPartners: DisabledPartners, target: Target): Resolved {
  return disabledPartners.has(target.partnerId) ? { found: "disabled" } : { found: "target", target };
}

/** Reads again after the write: a link that was disabled in between would stay in KV permanently. */
async function cacheUnlessDisabled(deps: LinkCache, db: Cell, slug: string, target: Target): Promise<void> {
  await writeCache(deps, slug, target);
  if ((await findTarget(db, slug)) === undefined) await dropFromCache(deps, slug);
}

/** From KV; null if KV does not have the slug, or fails. */
async function readCache({ shortLinkCache, log }: LinkCache, slug: string): Promise<Target | null> {
  try {
    const text = await shortLinkCache.get(slug);
    return text === null ? null : fromCache(text);
  } catch (thrown) {
    log.error("KV read failed", errorFields(thrown));
    return null;
  }
}
