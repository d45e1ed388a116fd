import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Whose snapshots were erased. The snapshots say it themselves; this is for the day when they are lost. */
export const erasures = sqliteTable("erasures", {
  /** The key of the snapshot: the environment, and the processor's id of the payment or subscription. */
  key: text("key").primaryKey(),
  /** When it was erased. */
  at: timestamp("at").notNull(),
});
