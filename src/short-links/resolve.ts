import type { Clock } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import type { LinkCache } from "./cache.ts";
import type { DisabledPartners } from "./disabled-partners.ts";
import { hasRightCheck } from "./slug.ts";
import type { ClosedLink } from "./store.ts";
import { fromCache, isCheckout, type Target } from "./target.ts";

/** The result for a slug. `disabled`: its partner is disabled. `closed`: by its limits. */
export type Resolved =
  | { readonly found: "target"; readonly target: Target }
  | { readonly found: "closed"; readonly link: Omit<ClosedLink, "partnerId"> }
  | { readonly found: "disabled" | "nothing" };

/** Dependencies of {@link resolveFromMemory} and {@link resolveFromCache}. */
export interface ResolveDeps extends LinkCache {
  readonly disabledPartners: DisabledPartners;
  /** The origins to which customers may be redirected. */
  readonly checkoutOrigins: readonly string[] | null;
  readonly clock: Clock;
}

export const NOTHING: Resolved = { found: "nothing" };

/**
 * The isolate's own result for a slug, without a promise, for frequently used links. A slug with a wrong check leads
 * nowhere. Undefined: KV must be asked.
 */
export function resolveFromMemory({ slugMemory, disabledPartners, clock }: ResolveDeps, slug: string): Resolved | undefined {
  const now = clock.now();
  if (!hasRightCheck(slug) || slugMemory.isUnknown(slug, now)) return NOTHING;
  if (disabledPartners.isDue(now)) return undefined;
  const known = slugMemory.get(slug, now) ?? slugMemory.getClosed(slug, now);
  return known === undefined || hasEnded(known, now) ? undefined : unlessDisabled(disabledPartners, known);
}

/**
 * The result for a slug from memory and KV. The list of disabled partners is read in parallel, once a minute.
 * Undefined: the database must be asked, because KV does not have the slug, fails, has a value that this service did
 * not write, or has an end that is over: the end may have been moved since.
 */
export async function resolveFromCache(deps: ResolveDeps, slug: string): Promise<Resolved | undefined> {
  const { slugMemory, disabledPartners, shortLinkCache, checkoutOrigins, clock, log } = deps;
  const known = slugMemory.get(slug, clock.now());
  const isDue = disabledPartners.isDue(clock.now());
  const [target] = await Promise.all([
    known ?? readCache(deps, slug),
    isDue ? disabledPartners.refresh(shortLinkCache, clock.now(), log) : undefined,
  ]);
  if (target === null || !isCheckout(target, checkoutOrigins) || hasEnded(target, clock.now())) return undefined;
  if (known === undefined) slugMemory.remember(slug, target, clock.now());
  return unlessDisabled(disabledPartners, target);
}

/** Whether the end of a target is over. */
export const hasEnded = (link: Target | ClosedLink, now: number): boolean =>
  "url" in link && link.closesAt !== null && now >= link.closesAt;

/** The result for a link, unless its partner is disabled. */
export function unlessDisabled(disabledPartners: DisabledPartners, link: Target | ClosedLink): Resolved {
  if (disabledPartners.has(link.partnerId)) return { found: "disabled" };
  return "closed" in link ? { found: "closed", link } : { found: "target", target: link };
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
