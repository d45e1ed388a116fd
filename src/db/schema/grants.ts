import { sql } from "drizzle-orm";
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";
import { apiKeys, partners } from "./partners.ts";

/** The rights that a partner gave to a signed-in agent. A grant never exceeds its key. */
export const grants = sqliteTable(
  "grants",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    /** The id of the pasted key. The grant ends with it. */
    keyId: text("key_id")
      .notNull()
      .references(() => apiKeys.id),
    /** The name that the agent's host gives itself. */
    clientName: text("client_name").notNull(),
    /** The id that the host signed in with. */
    clientId: text("client_id").notNull(),
    /** JSON array of the granted permissions. */
    permissions: text("permissions").notNull(),
    /** JSON array of the granted environments. */
    environments: text("environments").notNull(),
    /** JSON object of which creations wait for a person, by environment. */
    confirmations: text("confirmations").notNull().default("{}"),
    createdAt: timestamp("created_at").notNull(),
    /** The end of the grant. */
    expiresAt: timestamp("expires_at").notNull(),
    /** To the minute; null until the first use. */
    lastUsedAt: timestamp("last_used_at"),
    /** When a person ended it; null otherwise. */
    endedAt: timestamp("ended_at"),
  },
  (table) => [index("grants_by_partner").on(table.partnerId, table.id), index("grants_by_client").on(table.clientId)],
);

/** Requests of agents that wait, or waited, for a person. Each is about one request, by its content and its token. */
export const confirmations = sqliteTable(
  "confirmations",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    /** The id of the agent's grant, which may be deleted before this row. */
    grantId: text("grant_id").notNull(),
    /** The name that the agent's host gives itself. */
    clientName: text("client_name").notNull(),
    /** The operation's name. */
    operation: text("operation").notNull(),
    /** The permission that the operation needs, and the person who decides. */
    permission: text("permission").notNull(),
    /** A hash of the operation and its arguments, with the token. */
    request: text("request").notNull(),
    /** A hash of the request and the preview. */
    fingerprint: text("fingerprint").notNull(),
    /** JSON of what the request would make. Nothing about the customer. */
    preview: text("preview").notNull(),
    /** When the agent asked first. */
    requestedAt: timestamp("requested_at").notNull(),
    /** Until when a person can decide; after an approval, until when the request can be carried out. */
    expiresAt: timestamp("expires_at").notNull(),
    /** What the person decided; null while it waits. */
    decision: text("decision", { enum: ["approved", "refused"] }),
    /** When the person decided. */
    decidedAt: timestamp("decided_at"),
    /** The person, as in the audit log. */
    decidedBy: text("decided_by"),
    /** Since when the approved request is carried out: from then on it cannot be taken back. */
    begunAt: timestamp("begun_at"),
    /** When the approved request was first carried out. */
    doneAt: timestamp("done_at"),
  },
  (table) => [
    uniqueIndex("confirmations_by_fingerprint").on(table.grantId, table.fingerprint),
    index("confirmations_by_partner").on(table.partnerId, table.requestedAt, table.id),
  ],
);

/** Entries of the OAuth library: clients, authorizations and digests of tokens, in the library's own format. */
export const oauthEntries = sqliteTable(
  "oauth_entries",
  {
    /** The library's key: the entry's type, and its id or digest. */
    key: text("key").primaryKey(),
    /** The library's value. Tokens and codes are digests, and their content is encrypted. */
    value: text("value").notNull(),
    /** JSON that lists show beside the key. */
    metadata: text("metadata"),
    /** Null for what does not expire. */
    expiresAt: timestamp("expires_at"),
    /** When an unauthenticated caller created the entry; null after a person has signed in with it. */
    unprovenSince: timestamp("unproven_since"),
  },
  (table) => [index("oauth_entries_unproven").on(table.unprovenSince).where(sql`unproven_since IS NOT NULL`)],
);
