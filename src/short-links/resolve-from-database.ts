import type { Cell } from "../db/client.ts";
import type { FindById } from "../db/find-row.ts";
import { NOTHING, type ResolveDeps, type Resolved, unlessDisabled } from "./resolve.ts";
import { dropFromCache, type LinkCache, writeCache } from "./short-links.ts";
import { findTarget } from "./store.ts";
import { isCheckout, type Target } from "./target.ts";

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

/** Reads again after the write: a link that was disabled in between would stay in KV permanently. */
async function cacheUnlessDisabled(deps: LinkCache, db: Cell, slug: string, target: Target): Promise<void> {
  await writeCache(deps, slug, target);
  if ((await findTarget(db, slug)) === undefined) await dropFromCache(deps, slug);
}
