import { HOUR, MINUTE, type Period } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { isAttributedTo, workflowStartIn } from "./attribution-metadata.ts";
import type { Page } from "./pages.ts";
import type { Metadata } from "./port.ts";

/** The processor's maximum page size. */
const PAGE = 100;
/** Maximum number of pages searched: links and coupons come from all partners. */
const MAX_PAGES = 50;
/**
 * Without an older object to start at, the search stops at a page whose objects all belong to workflows that started
 * longer than this before the searched one.
 */
const SEARCH_MARGIN = 48 * HOUR;
/** The clocks of two machines may differ, and a call may take effect after its run has ended. */
const MARGIN = 2 * MINUTE;

/** The start and the end of a search. */
export interface SearchRange {
  /**
   * The id of an object that is older than the searched one. Null: none is known, so the search starts at the newest.
   */
  readonly after: string | null;
  /** Used only with `after`. The search ends at objects whose workflow started after this time (Unix milliseconds). */
  readonly until: number;
}

interface PageParams {
  readonly limit: number;
  readonly starting_after?: string;
  readonly ending_before?: string;
}

/**
 * The period in which an object can have been created, by the processor's clock, for calls that were made in a period
 * by ours.
 */
export function creationSpan({ from, to }: Period): Period {
  return { from: from - MARGIN, to: to + MARGIN };
}

/**
 * The object that carries all of this attribution, searched page by page from `after` on, or from the newest
 * back if it is null; null if there is none.
 * @throws ServiceFailure if there are too many objects to search.
 */
export async function findAttributed<Thing extends { readonly id: string; readonly metadata: Metadata | null }>(
  attribution: Metadata,
  { after, until }: SearchRange,
  list: (page: PageParams) => Promise<Page<Thing>>,
): Promise<Thing | null> {
  const earliest = (workflowStartIn(attribution) ?? 0) - SEARCH_MARGIN;
  let cursor = after;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data, has_more } = await list({ limit: PAGE, ...pageAt(cursor, after) });
    const found = data.find((thing) => isAttributedTo(thing.metadata, attribution));
    if (found !== undefined) return found;
    // The processor gives each page newest first, in both directions.
    cursor = (after === null ? data.at(-1) : data[0])?.id ?? null;
    const begun = data.flatMap(({ metadata }) => workflowStartIn(metadata) ?? []);
    const isBeyond = after === null ? begun.length > 0 && begun.every((time) => time < earliest) : begun.some((time) => time > until);
    if (!has_more || cursor === null || isBeyond) return null;
  }
  // If the search ends at the page limit, the object may still exist.
  const message = "the outcome of an earlier attempt could not be determined";
  throw new ServiceFailure({ kind: "upstream_failed", upstream: "processor", code: null, message }, { sideEffects: "unknown" });
}

/** From the newest to the oldest, or from a known object to the newest. */
function pageAt(cursor: string | null, after: string | null): Omit<PageParams, "limit"> {
  if (cursor === null) return {};
  return after === null ? { starting_after: cursor } : { ending_before: cursor };
}
