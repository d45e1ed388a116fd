import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How far each walk through a table has come that deletes what is no longer kept. */
export const walks = sqliteTable("walks", {
  /** What is looked for. */
  name: text("name").primaryKey(),
  /** The last key that was looked at; empty at the start of the table. */
  position: text("position").notNull(),
});
