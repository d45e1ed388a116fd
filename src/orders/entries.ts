import { type SQL, sql } from "drizzle-orm";
import { inList } from "../db/client.ts";
import type { SelectEntries } from "../db/entries.ts";
import { isOwnedBy } from "../db/newest-page.ts";
import { orders } from "../db/schema/orders.ts";

const { createdAt } = orders;

/** The checkouts with nothing to pay as entries of the books, by index: orders of no amount. */
export const freeEntries: SelectEntries = ({
  partnerId,
  environments,
  period,
}) => sql`SELECT ${orders.partnerId} AS partner_id, ${orders.id} AS order_id, ${orders.id} AS entry_id,
  ${orders.environment} AS environment, ${orders.paymentLinkId} AS link, 'payment' AS kind, 0 AS amount, 0 AS fee, ${orders.currency} AS currency,
  ${createdAt} AS at, ${createdAt} AS booked_at, ${createdAt} AS available_at, 1 AS is_sale, 0 AS is_charge, 0 AS is_pending,
  ${createdAt} AS terms_at
  FROM ${orders} WHERE substr(id, 1, 3) = 'cs_' AND ${isOwnedBy(orders.partnerId, { partnerId })}
  AND ${orders.environment} IN ${inList(environments)} AND ${createdAt} >= ${period.from} AND ${createdAt} < ${period.to}`;

/** What a report says of an entry besides its own columns: `e` is the entry, `o` its order. */
export interface OrderParts {
  readonly join: SQL;
  /** 1 in one row of each entry, 0 in its others. */
  readonly isFirst: SQL;
  /** Of an amount, the part that belongs to the row: all of it, or that of one line. */
  readonly share: (amount: SQL) => SQL;
  readonly units: SQL;
  readonly discount: SQL;
}

/** What a customer was let off, in the currency of the entry. */
const discountInEntry = sql`CASE WHEN e.currency = o.currency THEN o.discount
  ELSE CAST(ROUND(1.0 * o.discount * e.amount / NULLIF(o.charged, 0)) AS INTEGER) END`;

/** An entry as one row. */
export const wholeOrder: OrderParts = {
  join: sql`LEFT JOIN ${orders} AS o ON o.id = e.order_id`,
  isFirst: sql`1`,
  share: (amount) => amount,
  units: sql`o.units`,
  discount: discountInEntry,
};

/** The line of an order whose products are not known. */
const UNKNOWN = "[[null,null,0,0,1]]";

/**
 * An entry as one row for each line of its order. An amount is shared by the prices of the lines, without a rest: each line gets what
 * the sum of the lines up to it has more than the sum up to the one before. A whole refund is the opposite of its payment in each line.
 */
const lineShare = (amount: SQL): SQL => {
  const upTo = (sum: SQL) => sql`(${amount}) * (${sum}) / (o.items ->> '$[#-1][4]')`;
  const [last, own] = [sql`line.value ->> 4`, sql`(line.value ->> 2) * (line.value ->> 3)`];
  // Most orders have one line, which has all: that is quicker to see than to compute.
  const hasSeveral = sql`instr(o.items, '],[') > 0`;
  return sql`CASE WHEN ${hasSeveral} THEN ${upTo(last)} - ${upTo(sql`${last} - ${own}`)} ELSE ${amount} END`;
};
export const linesOfOrder: OrderParts = {
  join: sql`LEFT JOIN ${orders} AS o ON o.id = e.order_id JOIN json_each(COALESCE(o.items, ${UNKNOWN})) AS line`,
  isFirst: sql`line.key = 0`,
  share: lineShare,
  units: sql`line.value ->> 2`,
  discount: lineShare(discountInEntry),
};
