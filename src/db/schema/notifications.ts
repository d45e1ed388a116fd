import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { environment, moment } from "./columns.ts";
import { partners } from "./partners.ts";

/** What kept an attempt from being a success; `under_way` until that is known. */
export const attemptErrors = [
  "under_way",
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

/** Why an endpoint gets nothing: it said 410, only failed for days, or an operator stopped it. */
export const suspensionReasons = ["gone", "failing", "operator"] as const;

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
    /** How many failures those are. */
    failures: integer("failures").notNull().default(0),
    /** An endpoint that fails is left alone until then; 0 for one that does not. */
    restUntil: moment("rest_until").notNull().default(0),
    suspendedAt: moment("suspended_at"),
    suspendedFor: text("suspended_for", { enum: suspensionReasons }),
    /** One more with each registration and resumption: what an attempt from before it came to says nothing of the endpoint now. */
    revision: integer("revision").notNull().default(1),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("endpoints_of_partner").on(table.partnerId, table.environment),
    index("endpoints_troubled").on(table.updatedAt).where(sql`status = 'suspended' OR failing_since IS NOT NULL OR rest_until > 0`),
  ],
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
    /** Until when the secret that this one replaced is valid; null for one that replaced none. */
    previousValidUntil: moment("previous_valid_until"),
  },
  (table) => [
    uniqueIndex("endpoint_secrets_current").on(table.endpointId).where(sql`expires_at IS NULL`),
    index("endpoint_secrets_by_endpoint").on(table.endpointId),
    index("endpoint_secrets_expiring").on(table.expiresAt).where(sql`expires_at IS NOT NULL`),
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
    /** Attempts begun so far, the one under way included. */
    attempts: integer("attempts").notNull(),
    /** How many of them the schedule does not count: made by hand, lost with their consumer, or before a resumption. */
    offSchedule: integer("off_schedule").notNull().default(0),
    nextAttemptAt: moment("next_attempt_at").notNull(),
    /** Due, but its endpoint has as many attempts under way as it may have, or rests: it waits for its turn. */
    waiting: integer("waiting", { mode: "boolean" }).notNull().default(false),
    claimedAt: moment("claimed_at"),
    /** Set while an operator has it sent: the state that a failure puts it back into. */
    resendFrom: text("resend_from", { enum: deliveryStates }),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("deliveries_due").on(table.nextAttemptAt).where(sql`state = 'pending' AND waiting = 0`),
    index("deliveries_waiting").on(table.endpointId, table.nextAttemptAt).where(sql`waiting = 1`),
    index("deliveries_claimed").on(table.claimedAt).where(sql`state = 'sending'`),
    index("deliveries_by_endpoint").on(table.endpointId, table.state, table.createdAt),
  ],
);

/**
 * Every attempt at a delivery, and what came of it. It is written down before anything is sent, as `under_way`; one whose
 * consumer died stays `lost`, since nobody knows what came of it.
 */
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
    /** Null for a success. */
    errorClass: text("error_class", { enum: attemptErrors }),
    byHand: integer("by_hand", { mode: "boolean" }).notNull().default(false),
    /** At most 1 KiB of the answer, for operators alone. */
    excerpt: text("excerpt"),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.number] })],
);
