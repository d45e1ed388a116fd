import { sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { processorEvents, refreshes } from "../db/schema/ledger.ts";
import type { ProcessorEvent } from "../processor/facts.ts";

/** The id prefix of internal events, which sweeps create. */
export const SWEEP_PREFIX = "sweep_";
/**
 * An internal event is due again if a sweep finds its object missing again: it may have been stored, and lost with a
 * database.
 */
const IS_OF_SWEEP = sql`value ->> 'id' LIKE ${`${SWEEP_PREFIX}%`}`;

/** Maximum number of events in one batch. */
const MAX_PER_BATCH = 500;

/** New events, with the subjects that were not due yet. */
export interface StoredEvents {
  readonly ids: readonly string[];
  readonly subjects: readonly string[];
}

/**
 * Stores events by id, and makes the subjects of new events due for a refresh at `dueAt`. A subject that is due already
 * stays due. A subject that is due later, or is tried no more, becomes due. One round trip per 500 events.
 */
export async function insertProcessorEvents(
  db: Database,
  events: readonly ProcessorEvent[],
  now: number,
  dueAt: number,
): Promise<StoredEvents> {
  const stored: { ids: string[]; subjects: string[] } = { ids: [], subjects: [] };
  for (let start = 0; start < events.length; start += MAX_PER_BATCH) {
    const rows = JSON.stringify(events.slice(start, start + MAX_PER_BATCH));
    const [subjects, ids] = await db.batch([makeDue(db, rows, now, dueAt), insertEvents(db, rows, now)]);
    stored.ids.push(...ids.map(({ id }) => id));
    stored.subjects.push(...subjects.map(({ subject }) => subject));
  }
  return stored;
}

/** Runs before {@link insertEvents}, in the same transaction: it only counts events that are not stored yet. */
function makeDue(db: Database, rows: string, now: number, dueAt: number) {
  const isStored = sql`EXISTS (SELECT 1 FROM ${processorEvents} WHERE subject = value ->> 'subject' AND id = value ->> 'id')`;
  const isNews = sql`(${IS_OF_SWEEP} OR NOT ${isStored})`;
  return db
    .insert(refreshes)
    .select(
      sql`SELECT value ->> 'subject', value ->> 'environment', 'due', 0, ${dueAt}, NULL, ${now}, NULL FROM json_each(${rows}) WHERE ${isNews} GROUP BY 1`,
    )
    .onConflictDoUpdate({
      target: refreshes.subject,
      set: { state: "due", attempts: 0, nextAttemptAt: dueAt },
      setWhere: sql`${refreshes.state} <> 'due' OR ${refreshes.nextAttemptAt} > ${dueAt}`,
    })
    .returning({ subject: refreshes.subject });
}

/**
 * An event is never older than the wait of its subject, even if clocks differ. So the time since which the subject
 * waits separates pending events from processed ones.
 */
function insertEvents(db: Database, rows: string, now: number) {
  const since = sql`COALESCE((SELECT since FROM ${refreshes} WHERE ${refreshes.subject} = value ->> 'subject'), 0)`;
  return db
    .insert(processorEvents)
    .select(
      sql`SELECT value ->> 'subject', value ->> 'id', value ->> 'environment', value ->> 'type', value ->> 'objectId', MAX(${now}, ${since}) FROM json_each(${rows}) WHERE TRUE`,
    )
    .onConflictDoUpdate({
      target: [processorEvents.subject, processorEvents.id],
      set: { receivedAt: sql`excluded.received_at` },
      // The subject of an internal event waits again from then on.
      setWhere: sql`${processorEvents.id} LIKE ${`${SWEEP_PREFIX}%`} AND ${processorEvents.receivedAt} < (SELECT since FROM ${refreshes} WHERE ${refreshes.subject} = ${processorEvents.subject})`,
    })
    .returning({ id: processorEvents.id });
}

/** The ids of those events that were never received. One round trip. */
export async function missingProcessorEvents(db: Database, events: readonly ProcessorEvent[]): Promise<Set<string>> {
  const rows = JSON.stringify(events.map(({ id, subject }) => ({ id, subject })));
  const missing = db.all<{ id: string }>(
    sql`SELECT value ->> 'id' AS id FROM json_each(${rows}) WHERE NOT EXISTS (SELECT 1 FROM ${processorEvents} WHERE subject = value ->> 'subject' AND id = value ->> 'id')`,
  );
  return new Set((await missing).map(({ id }) => id));
}
