import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * A row lists the names of the events that were recorded for it, as long as the row is kept. So an event is never
 * recorded twice, even after the event's own row has expired.
 */

/** An event that a row may cause. `isRecorded` is evaluated in the batch, after the event was inserted. */
export interface RowEvent {
  readonly name: string;
  readonly isRecorded: SQL;
}

/** The separator after each name. */
const END = ",";

/** Whether the stored row lists the event. */
export function listsEvent(column: SQLiteColumn, name: string): SQL {
  return sql`INSTR(${END} || ${column}, ${END + name + END}) > 0`;
}

/** The list of a new row. */
export function firstEvents(events: readonly RowEvent[]): SQL {
  return joined(events.map(({ name, isRecorded }) => sql`CASE WHEN ${isRecorded} THEN ${name + END} ELSE '' END`));
}

/** The list of an existing row. */
export function withEvents(column: SQLiteColumn, events: readonly RowEvent[]): SQL {
  const added = events.map(
    ({ name, isRecorded }) => sql`CASE WHEN NOT ${listsEvent(column, name)} AND ${isRecorded} THEN ${name + END} ELSE '' END`,
  );
  return sql`${column} || ${joined(added)}`;
}

function joined(texts: readonly SQL[]): SQL {
  return texts.length === 0 ? sql`''` : sql.join([...texts], sql` || `);
}
