import { and, eq, isNull } from "drizzle-orm";
import type { Database, Statement } from "../db/client.ts";
import { promotionCodeProducts, promotionCodes } from "../db/schema/promotions.ts";

/**
 * The rows of a code that the processor has just made. An earlier code of the same text can then be active no more
 * (it expired, or was used up), and its row is ended first: the processor keeps texts unique, we follow it.
 */
export function insertPromotionCode(
  db: Database,
  row: typeof promotionCodes.$inferInsert,
  productIds: readonly string[],
  now: number,
): Statement[] {
  return [
    db
      .update(promotionCodes)
      .set({ deactivatedAt: now })
      .where(and(eq(promotionCodes.environment, row.environment), eq(promotionCodes.code, row.code), isNull(promotionCodes.deactivatedAt))),
    db.insert(promotionCodes).values(row),
    // 50 products of two columns: just what D1 takes in a statement.
    db.insert(promotionCodeProducts).values(productIds.map((processorProductId) => ({ promotionCodeId: row.id, processorProductId }))),
  ];
}
