import { dropFromCache, type LinkCache, writeCache } from "./cache.ts";
import { hasEnded, NOTHING, type ResolveDeps, type Resolved, unlessDisabled } from "./resolve.ts";
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
  const link = await deps.findTarget(slug);
  const now = clock.now();
  if (link === null) {
    slugMemory.rememberUnknown(slug, now);
    return NOTHING;
  }
  const known = hasEnded(link, now) ? { partnerId: link.partnerId, ...OVER } : link;
  const resolved = unlessDisabled(disabledPartners, known);
  if ("closed" in known) {
    slugMemory.rememberClosed(slug, known, now);
    return resolved;
  }
  if (resolved.found === "disabled") return resolved;
  if (!isCheckout(known, checkoutOrigins)) {
    throw new Error(`the short link ${slug} leads to an address that CHECKOUT_ORIGINS does not name`);
  }
  slugMemory.remember(slug, known, now);
  later(cacheUnlessChanged(deps, slug, known));
  return resolved;
}

const OVER = { closed: "over", reference: null, receipt: null } as const;

/** Reads again after the write: a link that was disabled, or got an end, in between would stay in KV as it was. */
async function cacheUnlessChanged(deps: LinkCache & { readonly findTarget: FindTarget }, slug: string, target: Target): Promise<void> {
  await writeCache(deps, slug, target);
  const now = await deps.findTarget(slug);
  if (now === null || "closed" in now || now.closesAt !== target.closesAt) await dropFromCache(deps, slug);
}
