import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The position of each walk that deletes expired rows. */
export const walks = sqliteTable("walks", {
  /** The name of the walk. */
  name: text("name").primaryKey(),
  /** The last key that was processed; empty at the start of the table. */
  position: text("position").notNull(),
});
