import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * A row that causes events lists those that were recorded of it, by name, for as long as it is kept itself. So an event
 * is never recorded a second time, even if its own row is not kept any longer.
 */

/** An event that a row may cause. `isRecorded` is asked in the batch, after the event was inserted. */
export interface RowEvent {
  readonly name: string;
  readonly isRecorded: SQL;
}

/** Each name ends with this. */
const END = ",";

/** Whether the stored row lists the event. */
export function listsEvent(column: SQLiteColumn, name: string): SQL {
  return sql`INSTR(${END} || ${column}, ${END + name + END}) > 0`;
}

/** The list in a new row. */
export function firstEvents(events: readonly RowEvent[]): SQL {
  return joined(events.map(({ name, isRecorded }) => sql`CASE WHEN ${isRecorded} THEN ${name + END} ELSE '' END`));
}

/** The list in a row that is stored already. */
export function withEvents(column: SQLiteColumn, events: readonly RowEvent[]): SQL {
  const added = events.map(
    ({ name, isRecorded }) => sql`CASE WHEN NOT ${listsEvent(column, name)} AND ${isRecorded} THEN ${name + END} ELSE '' END`,
  );
  return sql`${column} || ${joined(added)}`;
}

function joined(texts: readonly SQL[]): SQL {
  return texts.length === 0 ? sql`''` : sql.join([...texts], sql` || `);
}
