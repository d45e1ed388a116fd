import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** When each part of the service that works by itself last did. */
export const heartbeats = sqliteTable("heartbeats", {
  /** What works by itself, for example `cron`. */
  name: text("name").primaryKey(),
  /** When it last did. */
  at: timestamp("at").notNull(),
});
