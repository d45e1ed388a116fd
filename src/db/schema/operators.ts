import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** The people who may operate the service, with their roles. */
export const operators = sqliteTable("operators", {
  /** The address that they sign in with, in lower case. */
  email: text("email").primaryKey(),
  /** JSON array of roles. */
  roles: text("roles").notNull(),
  createdAt: timestamp("created_at").notNull(),
  updatedAt: timestamp("updated_at").notNull(),
});

/** Browser sessions of operators who gave the shared token. A session ends by signing out, or after its time. */
export const operatorSessions = sqliteTable(
  "operator_sessions",
  {
    /** The SHA-256 of the cookie's value, hexadecimal. */
    id: text("id").primaryKey(),
    /** The name that the operator entered. */
    name: text("name").notNull(),
    /** The first characters of the SHA-256 of the shared token: a session ends when the token changes. */
    tokenDigest: text("token_digest").notNull(),
    /** As the browser describes itself. */
    browser: text("browser").notNull().default(""),
    createdAt: timestamp("created_at").notNull().default(0),
    /** To the minute. */
    lastUsedAt: timestamp("last_used_at").notNull().default(0),
    /** Unix milliseconds. */
    expiresAt: timestamp("expires_at").notNull(),
  },
  (table) => [index("operator_sessions_by_end").on(table.expiresAt)],
);
