import { and, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { type Environment, environments } from "../core/environment.ts";
import type { linkStates } from "../core/object-states.ts";
import { inList } from "../db/client.ts";
import { isOwnedIn, type ListData, newestOf, type OwnList } from "../db/newest-page.ts";
import { newestFirst } from "../db/partner-data.ts";
import { paymentLinks } from "../db/schema/links.ts";
import { amountAsShown, countedAlone, defineSelections, type Selection } from "../db/selection.ts";
import { LISTED } from "./admin/links.ts";

const { id, source, createdAt, closedAt, closesAt, disabledAt, items } = paymentLinks;

/** Which links to list; without a field, all. */
export interface LinkFilter {
  readonly state?: { readonly wanted: (typeof linkStates)[number]; readonly now: number } | undefined;
  /** Only links that sell this product of the processor. */
  readonly productId?: string | undefined;
  /** Only links that cost exactly this much, in minor units. */
  readonly cost?: number | undefined;
  /** Only links that were made for these. */
  readonly sources?: readonly (typeof source.enumValues)[number][] | undefined;
  /** Only these links: they are one page. */
  readonly ids?: readonly string[] | undefined;
}

/** What a link costs, by its lines (store.ts); NULL while the processor has not listed them. */
const COST = sql`(SELECT SUM((value ->> 2) * (value ->> 3)) FROM json_each(${items}))`;

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
    { isOwn: isOf(list.partnerId, [list.environment]), createdAt, id },
    (db) => db.select(LISTED).from(paymentLinks).$dynamic(),
    conditionOf(filter),
  );
}

/** SQL condition: the link is of these partners and environments. The expression is that of the index. */
const isOf = (owner: OwnList["partnerId"], wanted: readonly Environment[]) =>
  isOwnedIn(
    sql`${paymentLinks.partnerId} || ' ' || ${paymentLinks.environment}`,
    owner,
    wanted,
    (partner, environment) => `${partner} ${environment}`,
  );

/** Those of some links that pass the filter, newest first. By key. */
async function linksAmong(data: ListData, list: OwnList, ids: readonly string[], filter: LinkFilter) {
  if (ids.length === 0) return [];
  const found = await data.each(({ db }) =>
    db
      .select(LISTED)
      .from(paymentLinks)
      .where(and(sql`+(${isOf(list.partnerId, [list.environment])})`, conditionOf(filter)))
      .all(),
  );
  const rows = found.toReversed().flatMap((all) => all.map((row) => [row.id, { ...row, at: row.createdAt }] as const));
  return [...new Map(rows).values()].toSorted(newestFirst);
}

function conditionOf({ state, productId, cost, sources, ids }: LinkFilter): SQL | undefined {
  return and(
    ids === undefined ? undefined : inArray(id, inList(ids)),
    state === undefined ? undefined : isIn(state),
    // A line begins with its product (links/store.ts).
    productId === undefined ? undefined : sql`EXISTS (SELECT 1 FROM json_each(${items}) WHERE value ->> 0 = ${productId})`,
    cost === undefined ? undefined : sql`${COST} = ${cost}`,
    sources === undefined ? undefined : inArray(source, [...sources]),
  );
}

/** Selections of links. */
export const linkSelections = defineSelections({
  table: paymentLinks,
  id,
  createdAt,
  isOwn: ({ partnerId, environment: only }: Selection<LinkFilter>) => isOf(partnerId, only === undefined ? environments : [only]),
  isFiltered: conditionOf,
  sorts: { created_at: sql`${createdAt}`, amount: amountAsShown(sql`COALESCE(${COST}, 0)`, paymentLinks.currency) },
  select: (db, value) =>
    db
      .select({ ...LISTED, value })
      .from(paymentLinks)
      .$dynamic(),
  ...countedAlone,
});
