import { ServiceFailure } from "../core/errors.ts";
import { isAttributedTo } from "./attribution.ts";

/** The processor's largest page. */
const PAGE = 100;
/** How many pages are looked through: links and coupons come from all partners, and links cannot be searched by time. */
const MOST_PAGES = 10;

interface Page<Thing> {
  readonly data: readonly Thing[];
  readonly has_more: boolean;
}

/** The newest object that carries all of this metadata, page by page; null where none does.
 * @throws ServiceFailure where there are too many to look through. */
export async function findAmongNewest<Thing extends { readonly id: string; readonly metadata: Readonly<Record<string, string>> | null }>(
  metadata: Readonly<Record<string, string>>,
  list: (page: { limit: number; starting_after?: string }) => Promise<Page<Thing>>,
): Promise<Thing | null> {
  let after: string | undefined;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data, has_more } = await list({ limit: PAGE, ...(after === undefined ? {} : { starting_after: after }) });
    const found = data.find((thing) => isAttributedTo(thing.metadata, metadata));
    if (found !== undefined) return found;
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) return null;
  }
  // Not to have found it among so many is no proof that it is not there.
  const message = "what became of an earlier attempt could not be found out";
  throw new ServiceFailure({ kind: "upstream_failed", upstream: "processor", code: null, message }, { leaves: "unknown" });
}
