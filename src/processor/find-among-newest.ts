import { HOUR } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { isAttributedTo, workflowStartIn } from "./attribution.ts";

/** The processor's maximum page size. */
const PAGE = 100;
/** Maximum number of pages searched: links and coupons come from all partners, and links cannot be filtered by time. */
const MAX_PAGES = 10;
/**
 * The search stops if everything on a page belongs to workflows that started longer than this before the searched one.
 */
const SEARCH_MARGIN = 48 * HOUR;

interface Page<Thing> {
  readonly data: readonly Thing[];
  readonly has_more: boolean;
}

type Metadata = Readonly<Record<string, string>>;

/**
 * The newest object that carries all of this attribution, searched page by page; null if there is none.
 * @throws ServiceFailure if there are too many objects to search.
 */
export async function findAmongNewest<Thing extends { readonly id: string; readonly metadata: Metadata | null }>(
  attribution: Metadata,
  list: (page: { limit: number; starting_after?: string }) => Promise<Page<Thing>>,
): Promise<Thing | null> {
  const since = workflowStartIn(attribution) ?? 0;
  let after: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data, has_more } = await list({ limit: PAGE, ...(after === undefined ? {} : { starting_after: after }) });
    const found = data.find((thing) => isAttributedTo(thing.metadata, attribution));
    if (found !== undefined) return found;
    after = data.at(-1)?.id;
    if (!has_more || after === undefined || isBeyondSearchMargin(data, since)) return null;
  }
  // If the search ends at the page limit, the object may still exist.
  const message = "what became of an earlier attempt could not be found out";
  throw new ServiceFailure({ kind: "upstream_failed", upstream: "processor", code: null, message }, { sideEffects: "unknown" });
}

function isBeyondSearchMargin(page: readonly { readonly metadata: Metadata | null }[], since: number): boolean {
  const begun = page.flatMap(({ metadata }) => workflowStartIn(metadata) ?? []);
  return begun.length > 0 && begun.every((timestamp) => timestamp < since - SEARCH_MARGIN);
}
