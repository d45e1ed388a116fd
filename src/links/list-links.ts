import { sql } from "drizzle-orm";
import { newestOfPartner, type OwnList } from "../db/newest-page.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { paymentLinks } from "../db/schema/links.ts";

const { id, source, currency, mode, slug, createdAt, disabledAt } = paymentLinks;

/** A partner's payment links, newest first, without their checkout URLs. */
export function listLinks(data: PartnerData, list: OwnList) {
  return newestOfPartner(data, list, { isOwn: isOf(list), createdAt, id }, (db, { where, orderBy, limit }) =>
    db
      .select({ id, source, currency, mode, slug, createdAt, disabledAt })
      .from(paymentLinks)
      .where(where)
      .orderBy(...orderBy)
      .limit(limit)
      .all(),
  );
}

/** SQL condition: the link is of this partner and environment. The expression is that of the index. */
function isOf({ partnerId, environment }: OwnList) {
  return sql`${paymentLinks.partnerId} || ' ' || ${paymentLinks.environment} = ${`${partnerId} ${environment}`}`;
}
