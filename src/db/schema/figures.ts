import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";

/** Who charged: the card processor or the ruble bank. */
export const figureSources = ["processor", "bank"] as const;

/**
 * What each partner's customers paid on each day (UTC), counted anew again and again. Amounts are in minor units and not
 * negative. The row of all partners of the cell has an empty `partnerId`.
 */
export const dailyPayments = sqliteTable(
  "daily_payments",
  {
    /** The start of the day. */
    day: timestamp("day").notNull(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** Who charged. */
    source: text("source", { enum: figureSources }).notNull(),
    /** ISO 4217, upper case: the settlement currency. */
    currency: text("currency").notNull(),
    /** Completed payments. */
    payments: integer("payments").notNull(),
    /** Their sum. */
    paid: integer("paid").notNull(),
    /** Slow payments that failed after all. */
    failures: integer("failures").notNull(),
    /** Refunds that went out. */
    refunds: integer("refunds").notNull(),
    /** Their sum. */
    refunded: integer("refunded").notNull(),
    /** Disputes that were opened. */
    disputes: integer("disputes").notNull(),
    /** What they took back. */
    disputed: integer("disputed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.partnerId, table.environment, table.source, table.currency] })],
);

/** What became of the events that were recorded for each partner on each day. Otherwise as {@link dailyPayments}. */
export const dailyDeliveries = sqliteTable(
  "daily_deliveries",
  {
    /** The start of the day. */
    day: timestamp("day").notNull(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** Events that had a webhook to go to. */
    events: integer("events").notNull(),
    /** Those that a receiver took. */
    delivered: integer("delivered").notNull(),
    /** Those whose last attempt failed. */
    givenUp: integer("given_up").notNull(),
    /** Due, on their way, or kept for a suspended webhook. */
    waiting: integer("waiting").notNull(),
    /** When the oldest of those was recorded; null if none waits. */
    oldestWaiting: timestamp("oldest_waiting"),
  },
  (table) => [primaryKey({ columns: [table.day, table.partnerId, table.environment] })],
);
