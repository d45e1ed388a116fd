import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";
import { partners } from "./partners.ts";

/** Payment links at the processor. `url` is the full checkout URL. It must never be in a response or a log. */
export const paymentLinks = sqliteTable(
  "payment_links",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    environment: environment(),
    source: text("source", { enum: ["moderation", "product", "cart"] }).notNull(),
    recordId: text("record_id"),
    currency: text("currency").notNull(),
    mode: text("mode", { enum: ["one_time", "subscription"] }).notNull(),
    interval: text("interval"),
    intervalCount: integer("interval_count"),
    url: text("url").notNull(),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [
    index("payment_links_by_partner").on(table.partnerId, table.environment, table.createdAt, table.id),
    index("payment_links_by_record").on(table.recordId),
  ],
);

export const paymentLinkItems = sqliteTable(
  "payment_link_items",
  {
    paymentLinkId: text("payment_link_id")
      .notNull()
      .references(() => paymentLinks.id),
    position: integer("position").notNull(),
    processorProductId: text("processor_product_id").notNull(),
    processorPriceId: text("processor_price_id").notNull(),
    unitAmount: integer("unit_amount").notNull(),
    quantity: integer("quantity").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.paymentLinkId, table.position] }),
    index("payment_link_items_by_product").on(table.processorProductId),
  ],
);

/** Rows are never deleted, so the primary key alone prevents the reuse of a slug. */
export const shortLinks = sqliteTable("short_links", {
  slug: text("slug").primaryKey(),
  paymentLinkId: text("payment_link_id")
    .notNull()
    .unique()
    .references(() => paymentLinks.id),
  createdAt: timestamp("created_at").notNull(),
});
