import { dropFromCache, type LinkCache, writeCache } from "./cache.ts";
import { ifOpen, NOTHING, type ResolveDeps, type Resolved } from "./resolve.ts";
import type { ClosedLink } from "./store.ts";
import { isCheckout, type Target } from "./target.ts";

/** Reads the target of a slug from the cells, or that it is closed; null if none has it, or it is disabled. */
export type FindTarget = (slug: string) => Promise<Target | ClosedLink | null>;

/**
 * The database's result for a slug, which is then stored in KV too.
 * @param later runs a task in the background, after the response.
 * @throws if the link leads to an address that the settings do not allow.
 */
export async function resolveFromDatabase(
  deps: ResolveDeps & { readonly findTarget: FindTarget },
  slug: string,
  later: (task: Promise<void>) => void,
): Promise<Resolved> {
  const { slugMemory, disabledPartners, checkoutOrigins, clock } = deps;
  const target = await deps.findTarget(slug);
  if (target === null) {
    slugMemory.rememberUnknown(slug, clock.now());
    return NOTHING;
  }
  const resolved = ifOpen(disabledPartners, target, clock.now());
  if (resolved.found !== "target" || "closed" in target) return resolved;
  if (!isCheckout(target, checkoutOrigins)) {
    throw new Error(`the short link ${slug} leads to an address that CHECKOUT_ORIGINS does not name`);
  }
  slugMemory.remember(slug, target, clock.now());
  later(cacheUnlessChanged(deps, slug, target));
  return resolved;
}

/** Reads again after the write: a link that was disabled, or got an end, in between would stay in KV as it was. */
async function cacheUnlessChanged(deps: LinkCache & { readonly findTarget: FindTarget }, slug: string, target: Target): Promise<void> {
  await writeCache(deps, slug, target);
  const now = await deps.findTarget(slug);
  if (now === null || "closed" in now || now.closesAt !== target.closesAt) await dropFromCache(deps, slug);
}
