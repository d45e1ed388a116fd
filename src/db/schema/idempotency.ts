import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "./columns.ts";

export const recordStates = ["running", "completed", "failed", "failed_terminal", "awaiting_short_link"] as const;

/**
 * One row per (partner, generation, operation, key); `id` is their hash and the name of the Durable Object.
 * `owner` and `epoch` say who may move the record on, and `epoch` counts the moves. It is NOT NULL on purpose: a
 * write by anyone else sets it to NULL, which makes the database refuse the whole batch (see idempotency/store.ts).
 */
export const idempotencyRecords = sqliteTable(
  "idempotency_records",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id").notNull(),
    generation: text("generation", { enum: ["v1", "v2"] }).notNull(),
    operation: text("operation").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    state: text("state", { enum: recordStates }).notNull(),
    /** What was decided before anything was made: a resumed run follows it, whatever the catalogue says by then. */
    plan: text("plan").notNull(),
    /** What each finished step gave and what was noted on the way, each by its name. */
    progress: text("progress").notNull(),
    /** Part of every upstream key. Grows when a request begins anew, and when upstream may have forgotten the keys. */
    attempt: integer("attempt").notNull(),
    attemptStartedAt: moment("attempt_started_at").notNull(),
    /** The request that began or resumed the run: repeats of it by our own hand are no repeats to its caller. */
    requestId: text("request_id").notNull(),
    owner: text("owner").notNull(),
    epoch: integer("epoch").notNull(),
    result: text("result"),
    error: text("error"),
    /** After a failure: whether something was made, or may have been, so that a new try must go on from there. */
    resumable: integer("resumable", { mode: "boolean" }).notNull(),
    /** Failed attempts in a row that ended in the same error, which is `error` (first generation). */
    failures: integer("failures").notNull().default(0),
    /** Failed attempts altogether since the key was new, or was last begun anew. */
    failedAttempts: integer("failed_attempts").notNull().default(0),
    /** When the work that the record now goes on from was begun: what it makes upstream bears this. */
    begunAt: moment("begun_at").notNull().default(0),
    /** When what a failed attempt has left upstream is to be taken back, unless somebody goes on from it before. */
    cleanUpAt: moment("clean_up_at"),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    completedAt: moment("completed_at"),
  },
  (table) => [
    index("idempotency_records_waiting").on(table.updatedAt).where(sql`state IN ('running', 'awaiting_short_link')`),
    index("idempotency_records_clean_up").on(table.cleanUpAt).where(sql`clean_up_at IS NOT NULL`),
  ],
);
