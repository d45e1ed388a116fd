import type { Clock } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import type { Cell } from "../db/client.ts";
import type { FindById } from "../db/find-row.ts";
import type { DisabledPartners } from "./disabled-partners.ts";
import { dropFromCache, type LinkCache, writeCache } from "./short-links.ts";
import { hasRightCheck } from "./slug.ts";
import { findTarget } from "./store.ts";
import { fromCache, isCheckout, type Target } from "./target.ts";

/** What a slug leads to. `disabled`: its partner is disabled. */
export type Resolved = { readonly found: "target"; readonly target: Target } | { readonly found: "disabled" | "nothing" };

/** Dependencies of {@link resolveFromMemory} and {@link resolveFromCache}. */
export interface ResolveDeps extends LinkCache {
  readonly disabledPartners: DisabledPartners;
  /** Where customers may be led. */
  readonly checkoutOrigins: readonly string[] | null;
  readonly clock: Clock;
}

const NOTHING: Resolved = { found: "nothing" };

/**
 * What this isolate knows of a slug, at once: a hot link needs no promise. A slug with a wrong check leads to nothing. Undefined:
 * KV must be asked.
 */
export function resolveFromMemory({ slugMemory, disabledPartners, clock }: ResolveDeps, slug: string): Resolved | undefined {
  const now = clock.now();
  if (!hasRightCheck(slug) || slugMemory.isUnknown(slug, now)) return NOTHING;
  const target = disabledPartners.isDue(now) ? undefined : slugMemory.get(slug, now);
  return target === undefined ? undefined : unlessDisabled(disabledPartners, target);
}

/**
 * What memory and KV know of a slug. The list of disabled partners is read beside it, once a minute. Undefined: the database must
 * be asked, because KV does not have the slug, fails, or has an address that this service did not write.
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
 * What the database has under a slug, which is then stored in KV too. A slug that begins with the code of no cell costs no round trip.
 * @param later runs a task in the background, after the response.
 * @throws if the link leads to an address that the settings do not name.
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

/** Reads again after the write: a link that was disabled in between would stay in KV for good. */
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
