import { and, eq, isNull } from "drizzle-orm";
import type { Cell, Statement } from "../db/client.ts";
import { promotionCodes } from "../db/schema/promotions.ts";

/**
 * Inserts the rows of a code that the processor has just created. The processor keeps active codes unique, so an
 * earlier code with the same text is no longer active (it expired, or was used up). Its row is deactivated first, if it is
 * in the same cell.
 */
export function insertPromotionCode(db: Cell, row: typeof promotionCodes.$inferInsert, now: number): Statement[] {
  return [
    db
      .update(promotionCodes)
      .set({ deactivatedAt: now })
      .where(and(eq(promotionCodes.environment, row.environment), eq(promotionCodes.code, row.code), isNull(promotionCodes.deactivatedAt))),
    db.insert(promotionCodes).values(row),
  ];
}
