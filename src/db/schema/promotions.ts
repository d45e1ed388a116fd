import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";
import { partners } from "./partners.ts";

/** Promotion codes with their coupons. A code is unique among the active codes of an environment. */
export const promotionCodes = sqliteTable(
  "promotion_codes",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    environment: environment(),
    couponId: text("coupon_id").notNull(),
    code: text("code").notNull(),
    percentOff: integer("percent_off").notNull(),
    duration: text("duration", { enum: ["once", "forever", "repeating"] }).notNull(),
    durationInMonths: integer("duration_in_months"),
    maxRedemptions: integer("max_redemptions"),
    expiresAt: timestamp("expires_at"),
    source: text("source", { enum: ["api", "mcp"] }).notNull(),
    recordId: text("record_id"),
    createdAt: timestamp("created_at").notNull(),
    deactivatedAt: timestamp("deactivated_at"),
  },
  (table) => [
    uniqueIndex("promotion_codes_active_code").on(table.environment, table.code).where(sql`deactivated_at IS NULL`),
    index("promotion_codes_by_partner").on(table.partnerId, table.createdAt),
  ],
);

export const promotionCodeProducts = sqliteTable(
  "promotion_code_products",
  {
    promotionCodeId: text("promotion_code_id")
      .notNull()
      .references(() => promotionCodes.id),
    processorProductId: text("processor_product_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.promotionCodeId, table.processorProductId] })],
);
