import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";

/**
 * Promotion codes with their coupons. A code is unique among the active codes of an environment; the processor ensures
 * it.
 */
export const promotionCodes = sqliteTable(
  "promotion_codes",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** The processor's coupon. */
    couponId: text("coupon_id").notNull(),
    /** The text that customers type, in upper case. */
    code: text("code").notNull(),
    /** JSON array of the processor's ids of the products that it applies to. */
    productIds: text("product_ids").notNull(),
    /** 1 to 100. */
    percentOff: integer("percent_off").notNull(),
    /** Which payments of a subscription it reduces. */
    duration: text("duration", { enum: ["once", "forever", "repeating"] }).notNull(),
    /** With `repeating` only. */
    durationInMonths: integer("duration_in_months"),
    /** Null: no limit. */
    maxRedemptions: integer("max_redemptions"),
    /** Null: never. */
    expiresAt: timestamp("expires_at"),
    /** The kind of client: a program or an agent. */
    source: text("source", { enum: ["api", "mcp"] }).notNull(),
    /** The idempotency record that created it. */
    recordId: text("record_id"),
    createdAt: timestamp("created_at").notNull(),
    /** When it was deactivated; null while it may be used. */
    deactivatedAt: timestamp("deactivated_at"),
    /** Why an operator deactivated it, in words that its partner reads. */
    deactivatedReason: text("deactivated_reason"),
    /** The key, person or agent that created it, as in the audit log. */
    holder: text("holder"),
  },
  (table) => [
    index("promotion_codes_of_partner").on(table.partnerId, table.environment, table.createdAt, table.id),
    uniqueIndex("promotion_codes_active_code").on(table.environment, table.code).where(sql`deactivated_at IS NULL`),
    index("promotion_codes_by_coupon").on(table.couponId),
    index("promotion_codes_by_text").on(table.code, table.createdAt),
  ],
);
