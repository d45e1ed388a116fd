import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Erased subjects. Each snapshot has a mark too; this table is needed when the snapshots are lost. */
export const erasures = sqliteTable("erasures", {
  /** The key of the snapshot: the environment, and the processor's id of the payment or subscription. */
  key: text("key").primaryKey(),
  /** When it was erased. */
  at: timestamp("at").notNull(),
});
