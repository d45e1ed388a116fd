import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";
import { partners } from "./partners.ts";

/** Why a delivery attempt failed. `in_progress`: the outcome is not known yet. */
export const attemptErrors = [
  "in_progress",
  "lost",
  "status",
  "redirect",
  "gone",
  "timeout",
  "connection",
  "forbidden_url",
  "secret",
] as const;
export const deliveryStates = ["pending", "sending", "succeeded", "exhausted", "suspended"] as const;

/** Why an endpoint is suspended: it returned 410, it failed for days without a success, or an operator suspended it. */
export const suspensionReasons = ["gone", "failing", "operator"] as const;

/** The webhook endpoint of a partner in one environment. */
export const endpoints = sqliteTable(
  "endpoints",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    environment: environment(),
    /** Where the events go. */
    url: text("url").notNull(),
    /** A suspended endpoint gets nothing. */
    status: text("status", { enum: ["active", "suspended"] }).notNull(),
    /** The first failure since the last success. After five days with only failures, the endpoint is suspended. */
    failingSince: timestamp("failing_since"),
    /** The number of failures since the last success. */
    failures: integer("failures").notNull().default(0),
    /** The end of the cooldown of a failing endpoint. 0: no cooldown. */
    cooldownUntil: timestamp("cooldown_until").notNull().default(0),
    /** When it was suspended. */
    suspendedAt: timestamp("suspended_at"),
    /** Why it was suspended. */
    suspensionReason: text("suspension_reason", { enum: suspensionReasons }),
    /** Incremented by each registration and resumption. Outcomes of earlier attempts then no longer count. */
    revision: integer("revision").notNull().default(1),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("endpoints_of_partner").on(table.partnerId, table.environment),
    index("endpoints_unhealthy").on(table.updatedAt).where(sql`status = 'suspended' OR failing_since IS NOT NULL OR cooldown_until > 0`),
  ],
);

/** Encrypted signing secrets. `expiresAt`: null for the current one, end of the grace period for the previous. */
export const endpointSecrets = sqliteTable(
  "endpoint_secrets",
  {
    id: text("id").primaryKey(),
    /** The endpoint. */
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => endpoints.id),
    /** Key id, initialisation vector and ciphertext. */
    encrypted: text("encrypted").notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** Null for the current secret; for the previous one, when its grace period ends. */
    expiresAt: timestamp("expires_at"),
    /** The end of validity of the replaced secret. Null: this secret replaced none. */
    previousValidUntil: timestamp("previous_valid_until"),
  },
  (table) => [
    uniqueIndex("endpoint_secrets_current").on(table.endpointId).where(sql`expires_at IS NULL`),
    index("endpoint_secrets_by_endpoint").on(table.endpointId),
    index("endpoint_secrets_expiring").on(table.expiresAt).where(sql`expires_at IS NOT NULL`),
  ],
);

/** Partner events. `deduplication_key` names the cause: processing the same cause again adds no event. */
export const events = sqliteTable(
  "events",
  {
    id: text("id").primaryKey(),
    /** One cause makes one event. */
    deduplicationKey: text("deduplication_key").notNull().unique(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    environment: environment(),
    /** The event's name. */
    name: text("name").notNull(),
    /** The text that is signed and sent. */
    body: text("body").notNull(),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [index("events_by_partner").on(table.partnerId, table.createdAt)],
);

/** The delivery of an event to the only endpoint of its partner and environment. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    /** The event. */
    eventId: text("event_id")
      .primaryKey()
      .references(() => events.id),
    /** The endpoint. */
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => endpoints.id),
    /** Where the delivery stands. */
    state: text("state", { enum: deliveryStates }).notNull(),
    /** The number of started attempts, including one in progress. */
    attempts: integer("attempts").notNull(),
    /** Attempts that the retry schedule ignores: manual, lost because the consumer died, failed for an internal error, or before a resumption. */
    unscheduledAttempts: integer("unscheduled_attempts").notNull().default(0),
    /** When the next attempt is due. */
    nextAttemptAt: timestamp("next_attempt_at").notNull(),
    /** The delivery is due, but its endpoint has no free slot or is in cooldown. */
    waiting: integer("waiting", { mode: "boolean" }).notNull().default(false),
    /** When a consumer claimed it. */
    claimedAt: timestamp("claimed_at"),
    /** Set during a manual resend. If the resend fails, the delivery returns to this state. */
    stateBeforeResend: text("state_before_resend", { enum: deliveryStates }),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [
    index("deliveries_due").on(table.nextAttemptAt).where(sql`state = 'pending' AND waiting = 0`),
    index("deliveries_waiting").on(table.endpointId, table.nextAttemptAt).where(sql`waiting = 1`),
    index("deliveries_claimed").on(table.claimedAt).where(sql`state = 'sending'`),
    index("deliveries_by_endpoint").on(table.endpointId, table.state, table.createdAt),
  ],
);

/**
 * All delivery attempts and their outcomes. An attempt is stored as `in_progress` before the request is sent. If its
 * consumer died, it becomes `lost`, because its outcome is unknown.
 */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    /** The event. */
    eventId: text("event_id")
      .notNull()
      .references(() => deliveries.eventId),
    /** From 1. */
    number: integer("number").notNull(),
    /** When it was sent. */
    at: timestamp("at").notNull(),
    /** The HTTP status; null without an answer. */
    status: integer("status"),
    /** From the claim to the result. */
    durationMs: integer("duration_ms").notNull(),
    /** Null for a success. */
    errorClass: text("error_class", { enum: attemptErrors }),
    /** Whether an operator sent it. */
    manual: integer("manual", { mode: "boolean" }).notNull().default(false),
    /** At most 1 KiB of the response body, only for operators. */
    excerpt: text("excerpt"),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.number] })],
);
