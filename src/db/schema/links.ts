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
    /** What made it: moderation, operation 1 or operation 8. */
    source: text("source", { enum: ["moderation", "product", "cart"] }).notNull(),
    /** The idempotency record that made it; null for a link from moderation. */
    recordId: text("record_id"),
    /** ISO 4217, upper case. */
    currency: text("currency").notNull(),
    /** One payment or a subscription. */
    mode: text("mode", { enum: ["one_time", "subscription"] }).notNull(),
    /** The unit of a subscription's period. */
    interval: text("interval"),
    /** Intervals in a period. */
    intervalCount: integer("interval_count"),
    /** The full checkout address. It appears in no answer and no log. */
    url: text("url").notNull(),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [
    index("payment_links_by_partner").on(table.partnerId, table.environment, table.createdAt, table.id),
    index("payment_links_by_record").on(table.recordId),
  ],
);

/** The lines of a link. */
export const paymentLinkItems = sqliteTable(
  "payment_link_items",
  {
    /** The link. */
    paymentLinkId: text("payment_link_id")
      .notNull()
      .references(() => paymentLinks.id),
    /** From 0, as in the request. */
    position: integer("position").notNull(),
    /** `prod_…`. */
    processorProductId: text("processor_product_id").notNull(),
    /** `price_…`. */
    processorPriceId: text("processor_price_id").notNull(),
    /** Minor units for one. */
    unitAmount: integer("unit_amount").notNull(),
    /** How many. */
    quantity: integer("quantity").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.paymentLinkId, table.position] }),
    index("payment_link_items_by_product").on(table.processorProductId),
  ],
);

/** Rows are never deleted, so the primary key alone prevents the reuse of a slug. */
export const shortLinks = sqliteTable("short_links", {
  /** The path of the short link. */
  slug: text("slug").primaryKey(),
  /** Where it leads. */
  paymentLinkId: text("payment_link_id")
    .notNull()
    .unique()
    .references(() => paymentLinks.id),
  createdAt: timestamp("created_at").notNull(),
});
