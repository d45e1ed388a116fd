import { and, lt, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { processorEvents, refreshes } from "../db/schema/ledger.ts";
import { walkRows } from "../db/walk.ts";

/** Deletes processed events of the processor that were stored before a time (Unix milliseconds). One step. */
export function expireProcessorEvents(db: Database, before: number) {
  const { subject, receivedAt } = processorEvents;
  const isPending = sql`EXISTS (SELECT 1 FROM ${refreshes} WHERE ${refreshes.subject} = ${subject} AND ${refreshes.since} <= ${receivedAt})`;
  return walkRows(db, { name: "processor_events", table: processorEvents, key: subject }, (range) =>
    db.delete(processorEvents).where(and(range, lt(receivedAt, before), sql`NOT ${isPending}`)),
  );
}
