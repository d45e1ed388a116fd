import { and, eq } from "drizzle-orm";
import { newestOfPartner, type OwnList } from "../db/newest-page.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { promotionCodes } from "../db/schema/promotions.ts";

const { id, code, productIds, percentOff, duration, durationInMonths, maxRedemptions, expiresAt, createdAt, deactivatedAt, recordId } =
  promotionCodes;

/** A partner's promotion codes, newest first. */
export function listPromotionCodes(data: PartnerData, list: OwnList) {
  const isOwn = and(eq(promotionCodes.partnerId, list.partnerId), eq(promotionCodes.environment, list.environment));
  return newestOfPartner(data, list, { isOwn, createdAt, id }, (db, { where, orderBy, limit, offset }) =>
    db
      .select({
        id,
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
      })
      .from(promotionCodes)
      .where(where)
      .orderBy(...orderBy)
      .limit(limit)
      .offset(offset)
      .all(),
  );
}
