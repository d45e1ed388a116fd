import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";

/** Who charged: the card processor or the ruble bank. */
export const figureSources = ["processor", "bank"] as const;

/**
 * What each partner's customers paid on each day (UTC). Recent days are counted again every hour. Amounts are in minor
 * units and not negative. The row for all partners of the cell has an empty `partnerId`.
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
    /** Slow payments that failed in the end. */
    failures: integer("failures").notNull(),
    /** Completed refunds. */
    refunds: integer("refunds").notNull(),
    /** Their sum. */
    refunded: integer("refunded").notNull(),
    /** Disputes that were opened. */
    disputes: integer("disputes").notNull(),
    /** The disputed amount. */
    disputed: integer("disputed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.partnerId, table.environment, table.source, table.currency] })],
);

/**
 * The delivery results of the events that were recorded for each partner on each day. Otherwise as {@link
 * dailyPayments}.
 */
export const dailyDeliveries = sqliteTable(
  "daily_deliveries",
  {
    /** The start of the day. */
    day: timestamp("day").notNull(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** Events with a webhook to go to. */
    events: integer("events").notNull(),
    /** Delivered events. */
    delivered: integer("delivered").notNull(),
    /** Events whose last attempt failed. */
    givenUp: integer("given_up").notNull(),
    /** Events that are due, in progress, or kept for a suspended webhook. */
    waiting: integer("waiting").notNull(),
    /** When the oldest waiting event was recorded; null if none waits. */
    oldestWaiting: timestamp("oldest_waiting"),
  },
  (table) => [primaryKey({ columns: [table.day, table.partnerId, table.environment] })],
);

/**
 * How the deliveries of each day's events (UTC) went, by endpoint. Recent days are counted again every hour. A delivery is counted on the
 * day of its event.
 */
export const dailyEndpoints = sqliteTable(
  "daily_endpoints",
  {
    /** The start of the day. */
    day: timestamp("day").notNull(),
    /** The webhook, or the chat. */
    endpointId: text("endpoint_id").notNull(),
    /** Its owner. */
    partnerId: text("partner_id").notNull(),
    /** Deliveries of the day's events. */
    deliveries: integer("deliveries").notNull(),
    /** All attempts at them. */
    attempts: integer("attempts").notNull(),
    /** Accepted ones. */
    delivered: integer("delivered").notNull(),
    /** Of them, those accepted within a second of the record of the event. */
    inSecond: integer("in_second").notNull(),
    /** Within a minute. */
    inMinute: integer("in_minute").notNull(),
    /** Within an hour. */
    inHour: integer("in_hour").notNull(),
    /** Those whose last attempt failed. */
    givenUp: integer("given_up").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.endpointId] })],
);
