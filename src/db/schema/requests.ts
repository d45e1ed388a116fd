import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/**
 * Refused requests of partners, as many of a day as the limit allows (requests/store.ts). The key is also the order of
 * the list.
 */
export const refusedRequests = sqliteTable(
  "refused_requests",
  {
    /** Who sent it. */
    partnerId: text("partner_id").notNull(),
    /** When it was answered. */
    at: timestamp("at").notNull(),
    /** The id of the request. */
    id: text("id").notNull(),
    /** The operation's name. */
    operation: text("operation").notNull(),
    /** The answered code. */
    code: text("code").notNull(),
    /** The answered message, without personal values. */
    message: text("message").notNull(),
    /** The path of the offending field; null if no field is named. */
    field: text("field"),
    /** The body as JSON, without personal values and secrets; empty if it was no JSON object. */
    body: text("body").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.partnerId, table.at, table.id] }),
    // Support is given the id of an answer, and not always the partner.
    index("refused_requests_by_id").on(table.id),
  ],
);
