import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";

/** The last received state of each subscription. Its metadata determines the owner. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id"),
    environment: environment(),
    /** In the processor's spelling. */
    status: text("status").notNull(),
    /** When it began. */
    startedAt: timestamp("started_at").notNull(),
    /** When it ended; null while it goes on. */
    endedAt: timestamp("ended_at"),
    /** Whether it ends with the paid period. */
    cancelAtPeriodEnd: integer("cancel_at_period_end", { mode: "boolean" }).notNull(),
    /** When it is set to end. */
    cancelAt: timestamp("cancel_at"),
    /** The end of the paid period. */
    currentPeriodEnd: timestamp("current_period_end"),
    /** Whether the processor currently collects no payments for it. */
    collectionPaused: integer("collection_paused", { mode: "boolean" }).notNull().default(false),
    /** JSON array of its items, each with price, quantity, product and unit amount. */
    items: text("items").notNull().default("[]"),
    /** ISO 4217, upper case; null where nothing is known of its prices. */
    currency: text("currency"),
    /** What one period costs before a discount, in minor units; null if the processor names no amount of a price. */
    amount: integer("amount"),
    /** The unit of its period. */
    interval: text("interval"),
    /** How many of them a period has. */
    intervalCount: integer("interval_count"),
    /** The link that started it, if known. */
    paymentLinkId: text("payment_link_id"),
    /** The partner's order reference from the checkout that started it. */
    clientReferenceId: text("client_reference_id"),
    /** The names of once-only partner events that were recorded, each followed by a comma. */
    recordedEvents: text("recorded_events").notNull().default(""),
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [
    index("subscriptions_by_reference").on(table.clientReferenceId).where(sql`client_reference_id IS NOT NULL`),
    index("subscriptions_of_partner").on(table.partnerId, table.environment, table.startedAt, table.id).where(sql`partner_id IS NOT NULL`),
  ],
);
