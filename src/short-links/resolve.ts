import type { Clock } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import type { LinkCache } from "./cache.ts";
import type { DisabledPartners } from "./disabled-partners.ts";
import { hasRightCheck } from "./slug.ts";
import type { ClosedLink } from "./store.ts";
import { fromCache, isCheckout, type Target } from "./target.ts";

/** The result for a slug. `disabled`: its partner is disabled. `closed`: by its limits, of which the database knows more than its end. */
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
  const target = disabledPartners.isDue(now) ? undefined : slugMemory.get(slug, now);
  return target === undefined ? undefined : ifOpen(disabledPartners, target, now);
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
  return ifOpen(disabledPartners, target, clock.now());
}

/** The result for a known target, or a closed link. */
export function ifOpen(disabledPartners: DisabledPartners, target: Target | ClosedLink, now: number): Resolved {
  if (disabledPartners.has(target.partnerId)) return { found: "disabled" };
  if ("closed" in target) return { found: "closed", link: target };
  return target.closesAt !== null && now >= target.closesAt ? { found: "closed", link: OVER } : { found: "target", target };
}

const OVER = { closed: "over", reference: null, receipt: null } as const;

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
