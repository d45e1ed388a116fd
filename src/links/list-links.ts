import { and, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { linkStates } from "../core/object-states.ts";
import { inList } from "../db/client.ts";
import { isOwnedBy, type ListData, newestOf, type OwnList } from "../db/newest-page.ts";
import { newestFirst } from "../db/partner-data.ts";
import { paymentLinks } from "../db/schema/links.ts";
import { LISTED } from "./admin/links.ts";

const { id, source, createdAt, closedAt, closesAt, disabledAt, items } = paymentLinks;

/** Which links to list; without a field, all. */
export interface LinkFilter {
  readonly state?: { readonly wanted: (typeof linkStates)[number]; readonly now: number } | undefined;
  /** Only links that sell this product of the processor. */
  readonly productId?: string | undefined;
  /** Only links that were made for these. */
  readonly sources?: readonly (typeof source.enumValues)[number][] | undefined;
  /** Only these links: they are one page. */
  readonly ids?: readonly string[] | undefined;
}

/** SQL for `stateOfLink` (core/object-states.ts). */
function isIn({ wanted, now }: NonNullable<LinkFilter["state"]>): SQL | undefined {
  return {
    open: and(isNull(disabledAt), isNull(closedAt), or(isNull(closesAt), gt(closesAt, now))),
    closed: and(isNull(disabledAt), or(isNotNull(closedAt), lte(closesAt, now))),
    disabled: isNotNull(disabledAt),
  }[wanted];
}

/** The payment links of a partner, or of several, newest first, without their checkout URLs. A page of a filtered list may be short. */
export async function listLinks(data: ListData, list: OwnList, filter: LinkFilter = {}) {
  if (filter.ids !== undefined) return { rows: await linksAmong(data, list, filter.ids, filter), next: null };
  return newestOf(
    data,
    list,
    { isOwn: isOf(list), createdAt, id },
    (db) => db.select(LISTED).from(paymentLinks).$dynamic(),
    conditionOf(filter),
  );
}

/** SQL condition: the link is of the list's partners and environment. The expression is that of the index. */
function isOf(list: OwnList) {
  return isOwnedBy(
    sql`${paymentLinks.partnerId} || ' ' || ${paymentLinks.environment}`,
    list,
    (partner) => `${partner} ${list.environment}`,
  );
}

/** Those of some links that pass the filter, newest first. By key. */
async function linksAmong(data: ListData, list: OwnList, ids: readonly string[], filter: LinkFilter) {
  if (ids.length === 0) return [];
  const found = await data.each(({ db }) =>
    db
      .select(LISTED)
      .from(paymentLinks)
      .where(and(inArray(id, inList(ids)), sql`+(${isOf(list)})`, conditionOf(filter)))
      .all(),
  );
  const rows = found.toReversed().flatMap((all) => all.map((row) => [row.id, { ...row, at: row.createdAt }] as const));
  return [...new Map(rows).values()].toSorted(newestFirst);
}

function conditionOf({ state, productId, sources }: LinkFilter): SQL | undefined {
  return and(
    state === undefined ? undefined : isIn(state),
    // A line begins with its product (links/store.ts).
    productId === undefined ? undefined : sql`EXISTS (SELECT 1 FROM json_each(${items}) WHERE value ->> 0 = ${productId})`,
    sources === undefined ? undefined : inArray(source, [...sources]),
  );
}
