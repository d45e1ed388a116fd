import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";

/** Payment links at the processor. `url` is the full checkout URL. It must never be in a response or a log. */
export const paymentLinks = sqliteTable(
  "payment_links",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** The origin of the link: moderation, operation 1 or operation 8. */
    source: text("source", { enum: ["moderation", "product", "cart"] }).notNull(),
    /** The idempotency record that created it; null for a link from moderation. */
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
    /**
     * JSON array of the lines, in request order, each with product, price, unit amount and quantity; null until the
     * processor has listed them.
     */
    items: text("items"),
    /** The path of its short link; null until it has one. It never changes, and a slug is never reused. */
    slug: text("slug"),
    createdAt: timestamp("created_at").notNull(),
    /** When it was disabled; null while customers may pay. */
    disabledAt: timestamp("disabled_at"),
    /**
     * Who disabled it; `limits`: it had its payments, or its time was over. A partner cannot enable a link that an operator
     * disabled. Null while customers may pay.
     */
    disabledBy: text("disabled_by", { enum: ["operator", "partner", "limits"] }),
    /** How many payments it is for; null for any number. */
    maxPayments: integer("max_payments"),
    /** Until when it takes payments; null for no end. */
    closesAt: timestamp("closes_at"),
    /** The order reference of the payment that closed a link for one payment. */
    paidReference: text("paid_reference"),
    /** The processor's receipt of that payment; emptied by an erasure. It is shown to the customer alone. */
    paidReceipt: text("paid_receipt"),
    /** The key, person or agent that created it, as in the audit log; null for a link from moderation. */
    holder: text("holder"),
  },
  (table) => [
    // An expression, so that SQLite does not prefer this index to the partial one of live product links below.
    index("payment_links_of_partner").on(sql`partner_id || ' ' || environment`, table.createdAt, table.id),
    uniqueIndex("payment_links_by_slug").on(table.slug).where(sql`slug IS NOT NULL`),
    // Links that are still to close. The cron finds those whose time is over.
    index("payment_links_closing")
      .on(table.closesAt)
      .where(sql`disabled_at IS NULL AND (closes_at IS NOT NULL OR max_payments IS NOT NULL)`),
    index("payment_links_disabled").on(table.disabledAt).where(sql`disabled_at IS NOT NULL`),
    // One in sixty links. A search for a link whose creation was not answered starts at one of them (links/store.ts).
    index("payment_links_sampled").on(table.environment, table.createdAt).where(sql`substr(id, -1) = 'a'`),
    index("payment_links_of_products").on(table.partnerId, table.createdAt, table.id).where(sql`environment = 'live' AND source <> 'cart'`),
  ],
);
