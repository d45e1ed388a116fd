import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Audit log of all changes by a person: actor, action and target. */
export const auditLog = sqliteTable("audit_log", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  /** When the change was made. */
  at: timestamp("at").notNull(),
  /** The operator, as they call themselves. */
  actor: text("actor").notNull(),
  /** What was done, for example `ledger.refresh`. */
  action: text("action").notNull(),
  /** The id of what it was done to. */
  target: text("target").notNull(),
  /** JSON object of further values. */
  details: text("details").notNull(),
});
