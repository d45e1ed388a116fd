import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";

/**
 * Why a delivery attempt failed. `lost`: its consumer died, so its outcome is unknown. `secret`, `relay` and `mailer` are our own failures: the address or
 * the secret could not be read, the egress relay gave no answer of the receiver, or no e-mail could be sent.
 */
export const attemptErrors = [
  "lost",
  "status",
  "redirect",
  "gone",
  "timeout",
  "connection",
  "forbidden_url",
  "secret",
  "relay",
  "mailer",
] as const;

/** The failures that are not the receiver's: the attempt does not count for the schedule or for the endpoint's health. */
export const internalErrors: readonly (typeof attemptErrors)[number][] = ["secret", "relay", "mailer"];

/** The states of an event's delivery. `no_endpoint`: its partner had registered none when the event was recorded. */
export const deliveryStates = ["no_endpoint", "pending", "sending", "succeeded", "exhausted", "suspended"] as const;

/**
 * Why an endpoint is suspended: it returned 410, it failed for days without a success, its partner unregistered it, an
 * operator suspended it, or its partner is disabled. The last two are lifted by operators only, and an unregistered one
 * by its partner only.
 */
export const suspensionReasons = ["gone", "failing", "unregistered", "operator", "partner_disabled"] as const;

/** How messages about some events reach people, instead of signed events that reach a program. */
export const channels = ["chat", "telegram", "email"] as const;

/**
 * Where the events of a partner go: in each environment the first webhook, which operation 10 registers, further webhooks, and the
 * partner's chat.
 */
export const endpoints = sqliteTable(
  "endpoints",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** Empty for the first webhook of the environment; otherwise the code at the end of its id. */
    code: text("code").notNull().default(""),
    /** The partner's name for a further webhook. Null: the first one, or a chat. */
    name: text("name"),
    /** JSON of the names of the events that it gets. Null: all events. */
    kinds: text("kinds"),
    /** Null: a webhook. Otherwise its encrypted secret is the address that messages go to. */
    channel: text("channel", { enum: channels }),
    /** The URL that gets the events. Of a channel, only the host. */
    url: text("url").notNull(),
    /** A suspended endpoint receives nothing. */
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
    /** Why an operator suspended it, in words that its partner reads. */
    suspensionNote: text("suspension_note"),
    /** Incremented by each registration and resumption. Outcomes of earlier attempts then no longer count. */
    revision: integer("revision").notNull().default(1),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
    /** When its partner last restarted the exhausted deliveries. Null: never. */
    restartedAt: timestamp("restarted_at"),
  },
  (table) => [
    uniqueIndex("endpoints_of_partner").on(table.partnerId, table.environment, table.code),
    index("endpoints_unhealthy")
      .on(table.updatedAt, table.id)
      .where(sql`status = 'suspended' OR failing_since IS NOT NULL OR cooldown_until > 0`),
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

/**
 * Partner events, each with its delivery to the first endpoint of its partner and environment, and their deliveries to further
 * endpoints, which are rows of their own. The id is derived from the cause, so processing a cause again adds no event.
 *
 * The events of one partner and environment have different times, in the order in which they were committed: a reader that goes on
 * behind a time misses none.
 */
export const events = sqliteTable(
  "events",
  {
    /**
     * `evt_`, its partner's id code, and a hash of the partner, the environment and the cause. A delivery to a further endpoint has the
     * code of the endpoint besides, behind a point.
     */
    id: text("id").primaryKey(),
    /** The cause, for example `payment.succeeded:processor:txn_…`. One cause makes one event. */
    cause: text("cause").notNull(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** The endpoint of the delivery. It may not exist. */
    endpointId: text("endpoint_id").notNull(),
    /** The event's name. */
    name: text("name").notNull(),
    /** JSON of the event's own fields. The signed text is built from it and the other columns. */
    payload: text("payload").notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** The state of the delivery. */
    state: text("state", { enum: deliveryStates }).notNull(),
    /** The number of started attempts, including one in progress. */
    attempts: integer("attempts").notNull().default(0),
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
  },
  (table) => [
    index("events_by_endpoint").on(table.endpointId, table.createdAt, table.id),
    index("events_pending").on(table.endpointId, table.waiting, table.nextAttemptAt).where(sql`state = 'pending'`),
    index("events_sending").on(table.endpointId, table.claimedAt).where(sql`state = 'sending'`),
    index("events_exhausted").on(table.endpointId, table.createdAt, table.id).where(sql`state = 'exhausted'`),
    index("events_suspended").on(table.endpointId, table.createdAt, table.id).where(sql`state = 'suspended'`),
    // Orders that were completed without a payment have no other row.
    index("events_free_checkouts").on(sql`payload ->> '$.checkout.client_reference_id'`).where(sql`name = 'Processor.checkout.completed'`),
  ],
);

/**
 * All delivery attempts and their outcomes, each written once, with its result. If the consumer of an attempt died, the
 * attempt is written as `lost`, because its outcome is unknown.
 */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    /** The event. */
    eventId: text("event_id").notNull(),
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
    /** Whether a person or a partner's program sent it. */
    manual: integer("manual", { mode: "boolean" }).notNull().default(false),
    /** At most 1 KiB of the response body, for operators and its partner. */
    excerpt: text("excerpt"),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.number] })],
);
