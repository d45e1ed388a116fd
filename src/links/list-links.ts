import { and, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { inList } from "../db/client.ts";
import { newestOfPartner, type OwnList } from "../db/newest-page.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { paymentLinks } from "../db/schema/links.ts";

const { id, source, recordId, currency, mode, slug, createdAt, disabledAt, items } = paymentLinks;

/** Which links to list; without a field, all. */
export interface LinkFilter {
  readonly isDisabled?: boolean | undefined;
  /** Only links that sell this product of the processor. */
  readonly productId?: string | undefined;
  /** Only these links. */
  readonly ids?: readonly string[] | undefined;
}

/** A partner's payment links, newest first, without their checkout URLs. A page of a filtered list may be short. */
export function listLinks(data: PartnerData, list: OwnList, filter: LinkFilter = {}) {
  return newestOfPartner(
    data,
    list,
    { isOwn: isOf(list), createdAt, id },
    (db, { where, orderBy, limit, offset }) =>
      db
        .select({ id, source, recordId, currency, mode, slug, createdAt, disabledAt })
        .from(paymentLinks)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset)
        .all(),
    conditionOf(filter),
  );
}

/** SQL condition: the link is of this partner and environment. The expression is that of the index. */
function isOf({ partnerId, environment }: OwnList) {
  return sql`${paymentLinks.partnerId} || ' ' || ${paymentLinks.environment} = ${`${partnerId} ${environment}`}`;
}

function conditionOf({ isDisabled, productId, ids }: LinkFilter): SQL | undefined {
  return and(
    isDisabled === undefined ? undefined : isDisabled ? isNotNull(disabledAt) : isNull(disabledAt),
    // A line begins with its product (links/store.ts).
    productId === undefined ? undefined : sql`EXISTS (SELECT 1 FROM json_each(${items}) WHERE value ->> 0 = ${productId})`,
    ids === undefined ? undefined : inArray(id, inList(ids)),
  );
}
