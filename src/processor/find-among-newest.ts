import { HOUR } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { begunIn, isAttributedTo } from "./attribution.ts";

/** The processor's largest page. */
const PAGE = 100;
/** How many pages are looked through: links and coupons come from all partners, and links cannot be searched by time. */
const MOST_PAGES = 10;
/** Once a whole page was begun longer than this before what is looked for, it cannot come any more. */
const LONG_BEFORE = 48 * HOUR;

interface Page<Thing> {
  readonly data: readonly Thing[];
  readonly has_more: boolean;
}

type Metadata = Readonly<Record<string, string>>;

/**
 * The newest object that carries all of this attribution, page by page; null where none does.
 * @throws ServiceFailure where there are too many to look through.
 */
export async function findAmongNewest<Thing extends { readonly id: string; readonly metadata: Metadata | null }>(
  attribution: Metadata,
  list: (page: { limit: number; starting_after?: string }) => Promise<Page<Thing>>,
): Promise<Thing | null> {
  const since = begunIn(attribution) ?? 0;
  let after: string | undefined;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data, has_more } = await list({ limit: PAGE, ...(after === undefined ? {} : { starting_after: after }) });
    const found = data.find((thing) => isAttributedTo(thing.metadata, attribution));
    if (found !== undefined) return found;
    after = data.at(-1)?.id;
    if (!has_more || after === undefined || isLongBefore(data, since)) return null;
  }
  // Not to have found it among so many is no proof that it is not there.
  const message = "what became of an earlier attempt could not be found out";
  throw new ServiceFailure({ kind: "upstream_failed", upstream: "processor", code: null, message }, { leaves: "unknown" });
}

function isLongBefore(page: readonly { readonly metadata: Metadata | null }[], since: number): boolean {
  const begun = page.flatMap(({ metadata }) => begunIn(metadata) ?? []);
  return begun.length > 0 && begun.every((moment) => moment < since - LONG_BEFORE);
}
