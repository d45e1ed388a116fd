import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "./columns.ts";

const standing = ["active", "disabled"] as const;

/** Who sells through the service. */
export const partners = sqliteTable("partners", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  status: text("status", { enum: standing }).notNull().default("active"),
  createdAt: moment("created_at").notNull(),
});

/** People of a partner that keys may belong to; a disabled one takes its keys along. */
export const employees = sqliteTable(
  "employees",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    name: text("name").notNull(),
    status: text("status", { enum: standing }).notNull().default("active"),
    createdAt: moment("created_at").notNull(),
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
    createdAt: moment("created_at").notNull(),
    revokedAt: moment("revoked_at"),
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
