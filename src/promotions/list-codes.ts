import { and, eq } from "drizzle-orm";
import { isOwnedBy, type ListData, newestOf, type OwnList } from "../db/newest-page.ts";
import { promotionCodes } from "../db/schema/promotions.ts";

const { id, code, productIds, percentOff, duration, durationInMonths, maxRedemptions, expiresAt, createdAt, deactivatedAt, recordId } =
  promotionCodes;

/** The promotion codes of a partner, or of several, newest first. */
export function listPromotionCodes(data: ListData, list: OwnList) {
  const isOwn = and(isOwnedBy(promotionCodes.partnerId, list), eq(promotionCodes.environment, list.environment));
  return newestOf(data, list, { isOwn, createdAt, id }, (db, { where, orderBy, limit, offset }) =>
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
        recordId,
        holder: promotionCodes.holder,
      })
      .from(promotionCodes)
      .where(where)
      .orderBy(...orderBy)
      .limit(limit)
      .offset(offset)
      .all(),
  );
}
