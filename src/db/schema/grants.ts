import { sql } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";
import { apiKeys, partners } from "./partners.ts";

/** What a partner has given to an agent that signed in. A grant never gives more than its key has. */
export const grants = sqliteTable(
  "grants",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    /** The id of the key that was pasted. The grant ends with it. */
    keyId: text("key_id")
      .notNull()
      .references(() => apiKeys.id),
    /** How the agent's host names itself. */
    clientName: text("client_name").notNull(),
    /** The id that the host signed in with. */
    clientId: text("client_id").notNull(),
    /** JSON array of the permissions that were ticked. */
    permissions: text("permissions").notNull(),
    /** JSON array of the environments that were chosen. */
    environments: text("environments").notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** From then on it gives nothing. */
    expiresAt: timestamp("expires_at").notNull(),
    /** To the minute; null until it is used. */
    lastUsedAt: timestamp("last_used_at"),
    /** When a person ended it; null otherwise. */
    endedAt: timestamp("ended_at"),
  },
  (table) => [index("grants_by_partner").on(table.partnerId, table.id), index("grants_by_client").on(table.clientId)],
);

/** What the OAuth library stores: clients, authorizations and digests of tokens, in shapes of its own. */
export const oauthEntries = sqliteTable(
  "oauth_entries",
  {
    /** The library's key: what it is, and its id or digest. */
    key: text("key").primaryKey(),
    /** The library's value. Tokens and codes are digests, and what they carry is encrypted. */
    value: text("value").notNull(),
    /** JSON that lists show beside the key. */
    metadata: text("metadata"),
    /** Null for what does not expire. */
    expiresAt: timestamp("expires_at"),
    /** When an unknown caller made the entry; null once a person has signed in with it. */
    unprovenSince: timestamp("unproven_since"),
  },
  (table) => [index("oauth_entries_unproven").on(table.unprovenSince).where(sql`unproven_since IS NOT NULL`)],
);
