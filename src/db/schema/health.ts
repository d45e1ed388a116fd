import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** When each automatic part of the service last ran. */
export const heartbeats = sqliteTable("heartbeats", {
  /** The part's name, for example `cron`. */
  name: text("name").primaryKey(),
  /** When it last ran. */
  at: timestamp("at").notNull(),
});
