import { and, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { type Environment, environments } from "../core/environment.ts";
import type { linkStates } from "../core/object-states.ts";
import { inList } from "../db/client.ts";
import { isAnyOf, isOwnedIn, type OwnList } from "../db/newest-page.ts";
import { paymentLinks } from "../db/schema/links.ts";
import { amountAsShown, countedAlone, defineSelections, type Whose } from "../db/selection.ts";
import { LISTED } from "./admin/links.ts";

const { id, source, createdAt, closedAt, closesAt, disabledAt, items } = paymentLinks;

/** Which links to list; without a field, all. */
export interface LinkFilter {
  readonly state?: { readonly wanted: (typeof linkStates)[number]; readonly now: number } | undefined;
  /** Only links that sell this product of the processor. */
  readonly productId?: string | undefined;
  /** Only links with this id or slug, in any case. */
  readonly anyCase?: string | undefined;
  /** Only links that cost exactly this much, in minor units. */
  readonly cost?: number | undefined;
  /** Only links that were made for these. */
  readonly sources?: readonly (typeof source.enumValues)[number][] | undefined;
  /** Only these links, which are found by key. */
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

/** SQL condition: the link is of these partners and environments. The expression is that of the index. */
const isOf = (owner: OwnList["partnerId"], wanted: readonly Environment[]) =>
  isOwnedIn(
    sql`${paymentLinks.partnerId} || ' ' || ${paymentLinks.environment}`,
    owner,
    wanted,
    (partner, environment) => `${partner} ${environment}`,
  );

function conditionOf({ state, productId, anyCase, cost, sources }: LinkFilter): SQL | undefined {
  return and(
    state === undefined ? undefined : isIn(state),
    // A line begins with its product (links/store.ts).
    productId === undefined ? undefined : sql`EXISTS (SELECT 1 FROM json_each(${items}) WHERE value ->> 0 = ${productId})`,
    anyCase === undefined ? undefined : isAnyOf(anyCase, id, paymentLinks.slug),
    cost === undefined ? undefined : sql`${COST} = ${cost}`,
    sources === undefined ? undefined : inArray(source, [...sources]),
  );
}

/** The list of links, without their checkout URLs. */
export const linkSelections = defineSelections({
  table: paymentLinks,
  id,
  createdAt,
  isOwn({ partnerId, environment: only, filter: { ids } }: Whose<LinkFilter>) {
    const isThere = isOf(partnerId, only === undefined ? environments : [only]);
    return ids === undefined ? isThere : and(inArray(id, inList(ids)), sql`+(${isThere})`);
  },
  isFiltered: conditionOf,
  sorts: { created_at: sql`${createdAt}`, amount: amountAsShown(sql`COALESCE(${COST}, 0)`, paymentLinks.currency) },
  columns: LISTED,
  ...countedAlone,
});
