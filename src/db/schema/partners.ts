import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

const statuses = ["active", "disabled"] as const;

/** Partners: the sellers that use the service. */
export const partners = sqliteTable(
  "partners",
  {
    id: text("id").primaryKey(),
    /** The partner's name. */
    name: text("name").notNull(),
    /** A disabled partner's keys do not work. */
    status: text("status", { enum: statuses }).notNull().default("active"),
    /** The code of the cell that has its data; of the newest one, if it was split by time. */
    cell: text("cell").notNull(),
    /** The code that its ids begin with: that of its first cell, for good. */
    idCode: text("id_code").notNull(),
    /** The permission that its keys need to cancel a subscription; null: none, as the interface has it. */
    cancelPermission: text("cancel_permission"),
    /** Whom operators write to: an address of mail or of a chat; null if there is none. */
    contact: text("contact"),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [
    index("partners_disabled").on(table.id).where(sql`status = 'disabled'`),
    index("partners_moved").on(table.idCode, table.cell).where(sql`cell <> id_code`),
  ],
);

/** Cells that have what a partner had made before it was split by time. What it makes now is in its newest cell. */
export const earlierCells = sqliteTable(
  "earlier_cells",
  {
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    /** The code of the cell. */
    cell: text("cell").notNull(),
    /** When the next one began. */
    until: timestamp("until").notNull(),
  },
  (table) => [primaryKey({ columns: [table.partnerId, table.cell] }), index("earlier_cells_by_cell").on(table.cell, table.partnerId)],
);

/** Employees of a partner. A key may belong to an employee. Disabling the employee also disables these keys. */
export const employees = sqliteTable("employees", {
  id: text("id").primaryKey(),
  partnerId: text("partner_id")
    .notNull()
    .references(() => partners.id),
  /** The person's name. */
  name: text("name").notNull(),
  /** A disabled employee's keys do not work. */
  status: text("status", { enum: statuses }).notNull().default("active"),
  createdAt: timestamp("created_at").notNull(),
});

/** The key itself is shown once and never stored: only its SHA-256 is. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    /** SHA-256 of the key in lower case. */
    keyHash: text("key_hash").primaryKey(),
    /** The id by which people speak of the key. */
    id: text("id").notNull().unique(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    /** The person that the key belongs to; null for a key of the partner itself. */
    employeeId: text("employee_id").references(() => employees.id),
    /** A name for people. */
    label: text("label").notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** When it was revoked; null while it works. */
    revokedAt: timestamp("revoked_at"),
    /** Its last four characters, by which its holder tells it from others; null for one that was issued before they were kept. */
    hint: text("hint"),
    /** The hour in which it was last used; null if it never was. */
    lastUsedAt: timestamp("last_used_at"),
    /** When it ends by itself; null: never. */
    expiresAt: timestamp("expires_at"),
  },
  (table) => [index("api_keys_by_partner").on(table.partnerId, table.id)],
);

/** What a key may do. */
export const apiKeyPermissions = sqliteTable(
  "api_key_permissions",
  {
    /** The key. */
    keyHash: text("key_hash")
      .notNull()
      .references(() => apiKeys.keyHash),
    /** What the key may do. */
    permission: text("permission").notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyHash, table.permission] })],
);
