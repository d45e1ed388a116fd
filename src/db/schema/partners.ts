import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

const statuses = ["active", "disabled"] as const;

/** Partners: the sellers that use the service. */
export const partners = sqliteTable("partners", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  status: text("status", { enum: statuses }).notNull().default("active"),
  createdAt: timestamp("created_at").notNull(),
});

/** Employees of a partner. A key may belong to an employee. Disabling the employee also disables these keys. */
export const employees = sqliteTable(
  "employees",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    name: text("name").notNull(),
    status: text("status", { enum: statuses }).notNull().default("active"),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [index("employees_by_partner").on(table.partnerId)],
);

/** The key itself is shown once and never stored: only its SHA-256 is. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    keyHash: text("key_hash").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    employeeId: text("employee_id").references(() => employees.id),
    label: text("label").notNull(),
    createdAt: timestamp("created_at").notNull(),
    revokedAt: timestamp("revoked_at"),
  },
  (table) => [index("api_keys_by_partner").on(table.partnerId)],
);

export const apiKeyPermissions = sqliteTable(
  "api_key_permissions",
  {
    keyHash: text("key_hash")
      .notNull()
      .references(() => apiKeys.keyHash),
    permission: text("permission").notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyHash, table.permission] })],
);
