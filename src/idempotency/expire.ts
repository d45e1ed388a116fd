import { and, eq, isNotNull, like, lt, sql } from "drizzle-orm";
import type { Cell } from "../db/client.ts";
import { idempotencyRecords } from "../db/schema/idempotency.ts";
import { walkRows } from "../db/walk.ts";
import { CONTENT_KEY_PATTERN } from "./key.ts";

const { id, generation, state, key, completedAt, updatedAt, resumable, compensateAt, result } = idempotencyRecords;

/**
 * Deletes records of requests without a token that ended before a time (Unix milliseconds). By then the same content
 * starts a new run (interface T.8), and a failed attempt never blocks the next one. One step.
 */
export function expireContentRecords(db: Cell, before: number) {
  const hasEnded = sql`(${state} = 'completed' OR (${state} = 'failed' AND ${resumable} = 0 AND ${compensateAt} IS NULL))`;
  const isOfContent = like(key, CONTENT_KEY_PATTERN);
  return walkRows(db, { name: "content_records", table: idempotencyRecords, key: id }, (range) =>
    db.delete(idempotencyRecords).where(and(range, isOfContent, hasEnded, lt(sql`COALESCE(${completedAt}, ${updatedAt})`, before))),
  );
}

/**
 * Empties results of the first generation that were completed before a time (Unix milliseconds): they are no longer
 * replayed (interface F.4). Key and fingerprint stay: another body under the key is always a conflict. One step.
 */
export function expireFirstGenerationResults(db: Cell, before: number) {
  return walkRows(db, { name: "first_generation_results", table: idempotencyRecords, key: id }, (range) =>
    db
      .update(idempotencyRecords)
      .set({ result: null })
      .where(and(range, eq(generation, "v1"), sql`${state} = 'completed'`, isNotNull(result), lt(completedAt, before))),
  );
}
