import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { environment, moment } from "./columns.ts";
import { partners } from "./partners.ts";

export const deliveryStates = ["pending", "sending", "succeeded", "exhausted", "suspended"] as const;

/** Where a partner's events of one environment go. */
export const endpoints = sqliteTable(
  "endpoints",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    environment: environment(),
    url: text("url").notNull(),
    status: text("status", { enum: ["active", "suspended"] }).notNull(),
    /** The first failure since the last success: five days of nothing else suspend the endpoint. */
    failingSince: moment("failing_since"),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [uniqueIndex("endpoints_of_partner").on(table.partnerId, table.environment)],
);

/** A signing secret, encrypted. `expiresAt` is null for the current one and the end of its grace for the previous. */
export const endpointSecrets = sqliteTable(
  "endpoint_secrets",
  {
    id: text("id").primaryKey(),
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => endpoints.id),
    sealed: text("sealed").notNull(),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at"),
  },
  (table) => [
    uniqueIndex("endpoint_secrets_current").on(table.endpointId).where(sql`expires_at IS NULL`),
    index("endpoint_secrets_by_endpoint").on(table.endpointId),
  ],
);

/** What happened, once: `cause` names it, so that working the same cause off again adds nothing. */
export const events = sqliteTable(
  "events",
  {
    id: text("id").primaryKey(),
    cause: text("cause").notNull().unique(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    environment: environment(),
    name: text("name").notNull(),
    body: text("body").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [index("events_by_partner").on(table.partnerId, table.createdAt)],
);

/** An event on its way to the one endpoint of its partner and environment. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    eventId: text("event_id")
      .primaryKey()
      .references(() => events.id),
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => endpoints.id),
    state: text("state", { enum: deliveryStates }).notNull(),
    /** Attempts made so far; the one under way is this plus one. */
    attempts: integer("attempts").notNull(),
    nextAttemptAt: moment("next_attempt_at").notNull(),
    claimedAt: moment("claimed_at"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("deliveries_due").on(table.nextAttemptAt).where(sql`state = 'pending'`),
    index("deliveries_claimed").on(table.claimedAt).where(sql`state = 'sending'`),
    index("deliveries_by_endpoint").on(table.endpointId, table.state),
  ],
);

/** Every attempt at a delivery, and what came of it. */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    eventId: text("event_id")
      .notNull()
      .references(() => deliveries.eventId),
    number: integer("number").notNull(),
    at: moment("at").notNull(),
    status: integer("status"),
    durationMs: integer("duration_ms").notNull(),
    errorClass: text("error_class"),
    /** At most 1 KiB of the answer, for operators alone. */
    excerpt: text("excerpt"),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.number] })],
);
