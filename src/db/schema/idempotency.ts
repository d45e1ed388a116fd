import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

export const recordStates = ["running", "completed", "failed", "failed_terminal", "awaiting_short_link"] as const;

/** The number of records per partner, budget and day (UTC); a sample (idempotency/daily-records.ts). */
export const dailyRecords = sqliteTable(
  "record_counts",
  {
    /** The start of the day. */
    day: timestamp("day").notNull(),
    partnerId: text("partner_id").notNull(),
    /** The permission that the requests needed. */
    budget: text("budget").notNull(),
    /** The number of records. */
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.partnerId, table.budget] })],
);

/**
 * One row per (partner, generation, operation, key). `id` is the partner's id code and their hash, and the name of the
 * Durable Object. `owner` and `epoch` are the fencing token: they decide which instance may update the record. `epoch`
 * counts the updates. It is NOT NULL on purpose: a write by another instance sets it to NULL, so the database rejects
 * the whole batch (see idempotency/store.ts).
 */
export const idempotencyRecords = sqliteTable(
  "idempotency_records",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id").notNull(),
    /** The generation of the API. */
    generation: text("generation", { enum: ["v1", "v2"] }).notNull(),
    /** The operation's name. */
    operation: text("operation").notNull(),
    /** `token:`, `key:` or `content:`, followed by the client's text or the fingerprint. */
    key: text("key").notNull(),
    /** SHA-256 of the request's content. A different one under the same key is a conflict. */
    fingerprint: text("fingerprint").notNull(),
    /** The state of the key. */
    state: text("state", { enum: recordStates }).notNull(),
    /**
     * All decisions made before the first side effect. A resumed run follows it even if the catalogue has changed. Empty
     * once nothing can resume or compensate the run.
     */
    plan: text("plan").notNull(),
    /** The outputs of finished steps and the notes, each by name. */
    progress: text("progress").notNull(),
    /** Part of every upstream key. Incremented when a request starts over or upstream may have forgotten the keys. */
    attempt: integer("attempt").notNull(),
    /** When the current upstream keys were first used. */
    attemptStartedAt: timestamp("attempt_started_at").notNull(),
    /** The request that started or resumed the run. Our internal retries of it do not count as replays. */
    requestId: text("request_id").notNull(),
    /** The instance of the Durable Object that holds the record. Empty once there is a result. */
    owner: text("owner").notNull(),
    /** The fencing token: the number of updates. */
    epoch: integer("epoch").notNull(),
    /** JSON of the result; null until it is complete. */
    result: text("result"),
    /** JSON of the last failed attempt's error. */
    error: text("error"),
    /** After a failure: whether something was, or may have been, created, so that a retry must resume from there. */
    resumable: integer("resumable", { mode: "boolean" }).notNull(),
    /** Failed attempts in a row with the same error as in `error` (first generation). */
    failures: integer("failures").notNull().default(0),
    /** All failed attempts since `createdAt`: since the key was new, or since it started over after a result. */
    failedAttempts: integer("failed_attempts").notNull().default(0),
    /** When the current workflow execution started. Objects that it creates upstream carry this time. */
    begunAt: timestamp("begun_at").notNull().default(0),
    /** When to compensate a failed attempt, if no request resumes it first. */
    compensateAt: timestamp("compensate_at"),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
    /** When the result was stored. */
    completedAt: timestamp("completed_at"),
    /** The key, person or agent whose request started the run, as in the audit log; null for moderation. */
    holder: text("holder"),
  },
  (table) => [
    index("idempotency_records_waiting").on(table.begunAt).where(sql`state IN ('running', 'awaiting_short_link')`),
    // Operators find a request by the request id of its answer.
    index("idempotency_records_by_request").on(table.requestId),
    index("idempotency_records_compensation").on(table.compensateAt).where(sql`compensate_at IS NOT NULL`),
  ],
);
