import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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
    /** The code of the current cell. */
    cell: text("cell").notNull(),
    /** The prefix of its ids: the code of its first cell. It never changes. */
    idCode: text("id_code").notNull(),
    /** The permission that its keys need to cancel a subscription; null: none, as in the interface. */
    cancelPermission: text("cancel_permission"),
    /** The contact of operators: a mail or chat address; null if there is none. */
    contact: text("contact"),
    /** Its days and months are days and months of this time zone (IANA). */
    timeZone: text("time_zone").notNull().default("UTC"),
    /** Whether it wants an event for each checkout that ended unpaid. */
    expiredCheckouts: integer("expired_checkouts", { mode: "boolean" }).notNull().default(false),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [
    index("partners_disabled").on(table.id).where(sql`status = 'disabled'`),
    index("partners_moved").on(table.idCode, table.cell).where(sql`cell <> id_code`),
  ],
);

/** Earlier cells of partners that were split by time. New rows go to the current cell. */
export const earlierCells = sqliteTable(
  "earlier_cells",
  {
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    /** The code of the cell. */
    cell: text("cell").notNull(),
    /** When the next cell took over. */
    until: timestamp("until").notNull(),
  },
  (table) => [primaryKey({ columns: [table.partnerId, table.cell] }), index("earlier_cells_by_cell").on(table.cell, table.partnerId)],
);

/**
 * Employees of a partner. A key may belong to an employee. Disabling the employee also disables these keys, and ends the
 * employee's sessions.
 */
export const employees = sqliteTable(
  "employees",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    /** The person's name. */
    name: text("name").notNull(),
    /** A disabled employee's keys do not work. */
    status: text("status", { enum: statuses }).notNull().default("active"),
    createdAt: timestamp("created_at").notNull(),
    /** JSON array of what the person may do in a session. */
    rights: text("rights").notNull().default("[]"),
    /** The id of the person or the key that added the person; null: an operator. */
    madeBy: text("made_by"),
  },
  (table) => [
    index("employees_by_partner").on(table.partnerId, table.id),
    index("employees_by_maker").on(table.madeBy).where(sql`made_by IS NOT NULL`),
  ],
);

/** The public keys by which employees sign in. The private key never leaves the person's device. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** The credential's id, Base64url. */
    id: text("id").primaryKey(),
    /** The employee who holds it. */
    employeeId: text("employee_id")
      .notNull()
      .references(() => employees.id),
    /** The public key in COSE form, Base64url. */
    publicKey: text("public_key").notNull(),
    /** The authenticator's signature counter; 0 for one that does not count. */
    counter: integer("counter").notNull(),
    /** JSON array: how browsers reach the authenticator. */
    transports: text("transports").notNull(),
    /** A name for people. */
    label: text("label").notNull(),
    /** When it was added. */
    createdAt: timestamp("created_at").notNull(),
    /** When it last signed in; null if it never did. */
    lastUsedAt: timestamp("last_used_at"),
  },
  (table) => [index("passkeys_by_employee").on(table.employeeId, table.createdAt)],
);

/** Invitations that were not accepted yet: at most one for each employee. */
export const invitations = sqliteTable("invitations", {
  /** Who is invited. */
  employeeId: text("employee_id")
    .primaryKey()
    .references(() => employees.id),
  /** SHA-256 of the token in the link. */
  tokenHash: text("token_hash").notNull().unique(),
  /** The actor who made it, as the audit log names them: it ends with them. */
  madeBy: text("made_by").notNull(),
  /** When it was made. */
  createdAt: timestamp("created_at").notNull(),
  /** The end of its time. */
  expiresAt: timestamp("expires_at").notNull(),
});

/** Browser sessions of employees. */
export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the cookie's value. */
    tokenHash: text("token_hash").primaryKey(),
    /** The public id of the session. */
    id: text("id").notNull().unique(),
    /** Who is signed in. */
    employeeId: text("employee_id")
      .notNull()
      .references(() => employees.id),
    /** The partner of the person. */
    partnerId: text("partner_id").notNull(),
    /** The challenge that was signed. It starts no second session. */
    challenge: text("challenge").notNull().unique(),
    /** The browser, as it describes itself. */
    browser: text("browser").notNull(),
    /** When the person signed in. */
    createdAt: timestamp("created_at").notNull(),
    /** To the minute. */
    lastUsedAt: timestamp("last_used_at").notNull(),
    /** When it ends by itself, however much it is used. */
    expiresAt: timestamp("expires_at").notNull(),
    /** When it was ended before; null otherwise. */
    endedAt: timestamp("ended_at"),
    /** When the person last used a passkey in it; null: only to sign in. */
    verifiedAt: timestamp("verified_at"),
  },
  (table) => [
    index("sessions_by_partner").on(table.partnerId, table.id),
    index("sessions_by_employee").on(table.employeeId),
    index("sessions_by_end").on(table.expiresAt),
  ],
);

/** API keys. Only the SHA-256 of a key is stored; the key itself is shown once. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    /** SHA-256 of the key in lower case. */
    keyHash: text("key_hash").primaryKey(),
    /** The public id of the key. */
    id: text("id").notNull().unique(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    /** The person that the key belongs to; null for the partner's own key. */
    employeeId: text("employee_id").references(() => employees.id),
    /** A name for people. */
    label: text("label").notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** When it was revoked; null while it works. */
    revokedAt: timestamp("revoked_at"),
    /** Its last four characters, to tell keys apart; null for keys from before they were kept. */
    hint: text("hint"),
    /** The hour of its last use; null if it was never used. */
    lastUsedAt: timestamp("last_used_at"),
    /** When it expires; null: never. */
    expiresAt: timestamp("expires_at"),
    /** The id of the person or the key that made it; null: an operator. */
    madeBy: text("made_by"),
  },
  (table) => [
    index("api_keys_by_partner").on(table.partnerId, table.id),
    index("api_keys_by_hint").on(table.hint, table.createdAt),
    index("api_keys_by_maker").on(table.madeBy).where(sql`made_by IS NOT NULL`),
  ],
);

/** What a key may do. */
export const apiKeyPermissions = sqliteTable(
  "api_key_permissions",
  {
    /** The key. */
    keyHash: text("key_hash")
      .notNull()
      .references(() => apiKeys.keyHash),
    /** One of its rights. */
    permission: text("permission").notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyHash, table.permission] })],
);

/** How often a partner, a person or a webhook has done something in a period. What would leave rows without a bound draws on one. */
export const changeCounts = sqliteTable(
  "change_counts",
  {
    /** What is counted, with its owner: `changes of acme`. */
    subject: text("subject").notNull(),
    /** The start of the period. */
    period: timestamp("period").notNull(),
    /** How many, so far. */
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject, table.period] }), index("change_counts_by_period").on(table.period)],
);

/** Why a key was refused. The answer does not say it; operators see it. */
export const keyRefusals = ["malformed", "unknown", "revoked", "expired", "partner_disabled", "person_disabled"] as const;
export type KeyRefusal = (typeof keyRefusals)[number];

/** How often keys were refused, by day, address and hint; as many rows of a day as the limit allows. */
export const refusedKeys = sqliteTable(
  "refused_keys",
  {
    /** The start of the day (UTC). */
    day: timestamp("day").notNull(),
    /** The address of the caller; of IPv6 its network. */
    network: text("network").notNull(),
    /** The last four characters of what was sent as a key. */
    hint: text("hint").notNull(),
    /** Why it was refused. */
    reason: text("reason", { enum: keyRefusals }).notNull(),
    /** The partner of the key; null where no such key is known. */
    partnerId: text("partner_id"),
    /** The id of the key; null where no such key is known. */
    keyId: text("key_id"),
    /** At least so often. */
    count: integer("count").notNull(),
    /** The first refusal of the day. */
    firstAt: timestamp("first_at").notNull(),
    /** The last refusal that was written. */
    lastAt: timestamp("last_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.network, table.hint, table.reason] })],
);
