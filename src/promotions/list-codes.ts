import { and, eq, sql } from "drizzle-orm";
import type { Cell } from "../db/client.ts";
import { isOwnedBy, type ListData, newestOf, type OwnList } from "../db/newest-page.ts";
import { promotionCodes } from "../db/schema/promotions.ts";

const { id, code, productIds, percentOff, duration, durationInMonths, maxRedemptions, expiresAt, createdAt, deactivatedAt, recordId } =
  promotionCodes;

/** The promotion codes of a partner, or of several, newest first; with a text, those that customers enter so. A page of these may be short. */
export function listPromotionCodes(data: ListData, list: OwnList, text?: string) {
  const isOwn = and(isOwnedBy(promotionCodes.partnerId, list), eq(promotionCodes.environment, list.environment));
  const select = (db: Cell) =>
    db
      .select({
        id,
        partnerId: promotionCodes.partnerId,
        environment: promotionCodes.environment,
        code,
        productIds,
        percentOff,
        duration,
        durationInMonths,
        maxRedemptions,
        expiresAt,
        createdAt,
        deactivatedAt,
        deactivatedReason: promotionCodes.deactivatedReason,
        recordId,
        holder: promotionCodes.holder,
      })
      .from(promotionCodes)
      .$dynamic();
  return newestOf(data, list, { isOwn, createdAt, id }, select, text === undefined ? undefined : sql`lower(${code}) = lower(${text})`);
}
