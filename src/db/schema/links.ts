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
    /** Who disabled it. A partner cannot enable a link that an operator disabled. Null while customers may pay. */
    disabledBy: text("disabled_by", { enum: ["operator", "partner"] }),
    /** Why an operator disabled it, in words that its partner reads. */
    disabledReason: text("disabled_reason"),
    /** How many payments it is for; null for any number. */
    maxPayments: integer("max_payments"),
    /** Until when it takes payments; null for no end. */
    closesAt: timestamp("closes_at"),
    /** When it had all its payments; null before, and without such a limit. */
    closedAt: timestamp("closed_at"),
    /** When the processor and KV have to hear of its limits next: after a change, after its last payment, or at its end. */
    limitsDue: timestamp("limits_due"),
    /** Since when it is for so many payments; null where it is not. */
    limitedAt: timestamp("limited_at"),
    /** The key, person or agent that created it, as in the audit log; null for a link from moderation. */
    holder: text("holder"),
  },
  (table) => [
    // An expression, so that SQLite does not prefer this index to the partial one of live product links below.
    index("payment_links_of_partner").on(sql`partner_id || ' ' || environment`, table.createdAt, table.id),
    uniqueIndex("payment_links_by_slug").on(table.slug).where(sql`slug IS NOT NULL`),
    index("payment_links_limits_due").on(table.limitsDue).where(sql`limits_due IS NOT NULL`),
    index("payment_links_disabled").on(table.disabledAt).where(sql`disabled_at IS NOT NULL`),
    // One in sixty links. A search for a link whose creation was not answered starts at one of them (links/store.ts).
    index("payment_links_sampled").on(table.environment, table.createdAt).where(sql`substr(id, -1) = 'a'`),
    index("payment_links_of_products").on(table.partnerId, table.createdAt, table.id).where(sql`environment = 'live' AND source <> 'cart'`),
  ],
);

/** The payments of links that are for so many, since they are. A checkout with nothing to pay is one too. */
export const linkPayments = sqliteTable(
  "link_payments",
  {
    /** The payment `pi_…`, the checkout `cs_…` without one, or the subscription `sub_…`, whatever it renews. */
    id: text("id").primaryKey(),
    /** The link. */
    paymentLinkId: text("payment_link_id").notNull(),
    /** Its order reference. */
    reference: text("reference"),
    /** The processor's receipt, which a closed link for one payment shows; null while there is none, empty where it is never shown: erased, or from before the limit. */
    receipt: text("receipt"),
  },
  (table) => [index("link_payments_of_link").on(table.paymentLinkId)],
);
