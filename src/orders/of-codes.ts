import { and, inArray, isNotNull, lt, sql } from "drizzle-orm";
import * as z from "zod";
import { limits } from "../core/limits.ts";
import { type Cell, inList } from "../db/client.ts";
import { isOwnedBy, type OwnList, type SummedData } from "../db/newest-page.ts";
import { orders } from "../db/schema/orders.ts";

const usesSchema = z.object({ code: z.string(), currency: z.string(), orders: z.int(), discounts: z.int() });

/** What customers paid with a promotion code in one currency: paid orders, and what they were let off, in minor units. */
export type CodeUses = z.infer<typeof usesSchema>;

/** Orders that are counted at most: one more than a sum may have. */
const MOST_COUNTED = limits.sums.movements + 1;

/**
 * The uses of some promotion codes, in some cells. One D1 round trip to each, by index, and two more for a partner in several. `joinUses`
 * adds them up.
 */
export async function usesOfCodes(data: SummedData, partnerId: OwnList["partnerId"], codes: readonly string[]): Promise<CodeUses[]> {
  const isOfCodes = and(inArray(orders.promotionCodeId, inList(codes)), isOwnedBy(sql`+${orders.partnerId}`, { partnerId }));
  const idsIn = async (db: Cell, until: number) => {
    // An order may be paid in one copy and not in the other.
    const isCopied = and(isOfCodes, lt(orders.createdAt, until));
    return (await db.select({ id: orders.id }).from(orders).where(isCopied).orderBy(orders.id).limit(MOST_COUNTED).all()).map(
      ({ id }) => id,
    );
  };
  const usesIn = async (db: Cell, without: readonly string[]) =>
    z.array(usesSchema).parse(
      await db.all(sql`SELECT code, currency, COUNT(*) AS orders, SUM(discount) AS discounts
        FROM (SELECT ${orders.promotionCodeId} AS code, ${orders.currency} AS currency, ${orders.discount} AS discount
          FROM ${orders} WHERE ${isOfCodes} AND ${isNotNull(orders.paidAt)} AND ${orders.id} NOT IN ${inList(without)} LIMIT ${MOST_COUNTED})
        GROUP BY code, currency`),
    );
  const parts = await data.sums(
    ({ db }, until) => idsIn(db, until),
    ({ db }, without) => usesIn(db, without),
  );
  return parts.flat();
}

/** The uses by code, each by currency. Null if there are too many orders. */
export function joinUses(parts: readonly CodeUses[]): ReadonlyMap<string, readonly CodeUses[]> | null {
  if (parts.reduce((sum, part) => sum + part.orders, 0) > limits.sums.movements) return null;
  const groups = Map.groupBy(parts, ({ code, currency }) => `${code} ${currency}`);
  const sums = [...groups.values()].flatMap(([first, ...rest]) => (first === undefined ? [] : rest.reduce(plus, first)));
  return Map.groupBy(sums, ({ code }) => code);
}

const plus = (one: CodeUses, other: CodeUses): CodeUses => ({
  ...one,
  orders: one.orders + other.orders,
  discounts: one.discounts + other.discounts,
});
