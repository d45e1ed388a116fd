import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * A row that causes events remembers them by name, for as long as it is kept itself: so an event is never recorded a
 * second time, even if its own row is not kept any longer.
 */

/** An event that a row may cause. `isRecorded` is asked in the batch, after the event was inserted. */
export interface Told {
  readonly name: string;
  readonly isRecorded: SQL;
}

/** Whether the stored row has told the event. */
export function hasTold(column: SQLiteColumn, name: string): SQL {
  return sql`INSTR(${column}, ${`,${name}`}) > 0`;
}

/** The value of the column in a new row. */
export function toldAtFirst(events: readonly Told[]): SQL {
  return joined(events.map(({ name, isRecorded }) => sql`CASE WHEN ${isRecorded} THEN ${`,${name}`} ELSE '' END`));
}

/** The value of the column in a row that is stored already. */
export function toldSince(column: SQLiteColumn, events: readonly Told[]): SQL {
  const added = events.map(
    ({ name, isRecorded }) => sql`CASE WHEN NOT ${hasTold(column, name)} AND ${isRecorded} THEN ${`,${name}`} ELSE '' END`,
  );
  return sql`${column} || ${joined(added)}`;
}

function joined(texts: readonly SQL[]): SQL {
  return texts.length === 0 ? sql`''` : sql.join([...texts], sql` || `);
}
