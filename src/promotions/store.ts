import { and, eq, isNull } from "drizzle-orm";
import type { Cell } from "../db/client.ts";
import { insertOnce, prepareOnce } from "../db/prepared.ts";
import { promotionCodes } from "../db/schema/promotions.ts";

/**
 * Inserts the rows of a code that the processor has just created. The processor keeps active codes unique, so an
 * earlier code with the same text is no longer active (it expired, or was used up). Its row is deactivated first, if it is
 * in the same cell.
 */
export function insertPromotionCode(db: Cell, row: typeof promotionCodes.$inferInsert, now: number): D1PreparedStatement[] {
  const { environment, code, deactivatedAt } = promotionCodes;
  const deactivate = () =>
    db
      .update(promotionCodes)
      .set({ deactivatedAt: now })
      .where(and(eq(environment, row.environment), eq(code, row.code), isNull(deactivatedAt)));
  return [prepareOnce(db, "deactivate promotion code", deactivate, [now, row.environment, row.code]), insertOnce(db, promotionCodes, row)];
}
