import { and, inArray, lt, sql } from "drizzle-orm";
import * as z from "zod";
import { limits } from "../../core/limits.ts";
import { addedUp } from "../../core/sums.ts";
import { type Cell, inList } from "../../db/client.ts";
import { isOwnedBy, type OwnList, type SummedData } from "../../db/newest-page.ts";
import { movements } from "../../db/schema/ledger.ts";
import { IS_PENDING, IS_SALE } from "./entries.ts";

const soldSchema = z.object({
  link: z.string(),
  currency: z.string(),
  orders: z.int(),
  net: z.int(),
  pending: z.int(),
  last: z.int().nullable(),
  counted: z.int(),
});

/** What some movements of a link come to in one settlement currency, in minor units. `pending`: the part of `net` that may still fail. `last`: the time of the latest sale. */
export type SoldThrough = z.infer<typeof soldSchema>;

const { paymentLinkId, currency, amount, fee, transactionDate } = movements;

/** Sums the movements of their partners through some links, in some cells. One D1 round trip to each, by index, and two more for a partner in several. */
export async function soldThrough(data: SummedData, partnerId: OwnList["partnerId"], links: readonly string[]): Promise<SoldThrough[]> {
  const parts = await data.sums(
    ({ db }, until) => idsIn(db, partnerId, links, until),
    ({ db }, without) => soldIn(db, partnerId, links, without),
  );
  return parts.flat();
}

/** The sums by link, each by currency: paid orders, and what is left after refunds, disputes and fees. Null if there are too many movements. */
export function joinSold(parts: readonly SoldThrough[]): ReadonlyMap<string, readonly SoldThrough[]> | null {
  if (parts.reduce((sum, { counted }) => sum + counted, 0) > limits.sums.movements) return null;
  const byCurrency = Map.groupBy(parts, ({ link, currency: of }) => `${link} ${of}`);
  const sums = [...byCurrency.values()].flatMap(([first, ...rest]) => (first === undefined ? [] : rest.reduce(plus, first)));
  return Map.groupBy(sums, ({ link }) => link);
}

const plus = (one: SoldThrough, other: SoldThrough): SoldThrough => ({
  ...one,
  ...addedUp(["orders", "net", "pending", "counted"], [one, other]),
  last: one.last === null || other.last === null ? (one.last ?? other.last) : Math.max(one.last, other.last),
});

/** Movements that are counted at most: one more than a sum may have. */
const MOST_COUNTED = limits.sums.movements + 1;

/** SQL condition: the movement is of its link's partner: evidence that contradicts itself may name another one. */
const isOf = (partnerId: OwnList["partnerId"]) => isOwnedBy(sql`+${movements.partnerId}`, { partnerId });

async function idsIn(db: Cell, partnerId: OwnList["partnerId"], links: readonly string[], until: number): Promise<string[]> {
  const { id } = movements;
  const rows = await db
    .select({ id })
    .from(movements)
    .where(and(inArray(paymentLinkId, inList(links)), isOf(partnerId), lt(transactionDate, until)))
    .limit(MOST_COUNTED)
    .all();
  return rows.map((row) => row.id).toSorted();
}

async function soldIn(
  db: Cell,
  partnerId: OwnList["partnerId"],
  links: readonly string[],
  without: readonly string[],
): Promise<SoldThrough[]> {
  const rows =
    await db.all(sql`SELECT link, currency, SUM(is_sale) AS orders, SUM(left_over) AS net, SUM(CASE WHEN is_pending THEN left_over ELSE 0 END) AS pending,
    MAX(CASE WHEN is_sale THEN at END) AS last, COUNT(*) AS counted
    FROM (SELECT ${paymentLinkId} AS link, ${currency} AS currency, ${amount} - COALESCE(${fee}, 0) AS left_over, ${transactionDate} AS at,
      ${IS_SALE} AS is_sale, ${IS_PENDING} AS is_pending
      FROM ${movements} WHERE ${paymentLinkId} IN ${inList(links)} AND ${isOf(partnerId)} AND ${movements.id} NOT IN ${inList(without)} LIMIT ${MOST_COUNTED})
    GROUP BY link, currency`);
  return z.array(soldSchema).parse(rows);
}
