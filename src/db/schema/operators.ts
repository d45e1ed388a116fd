import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** The people who may operate the service, and as what. */
export const operators = sqliteTable("operators", {
  /** The address that they sign in with, in lower case. */
  email: text("email").primaryKey(),
  /** JSON array of roles. */
  roles: text("roles").notNull(),
  createdAt: timestamp("created_at").notNull(),
  updatedAt: timestamp("updated_at").notNull(),
});
