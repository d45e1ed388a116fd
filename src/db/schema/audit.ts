import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Audit log of all changes by a person: who changed what, when, and from what to what. It has no key, secret or address. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** When the change was made. */
    at: timestamp("at").notNull(),
    /** The operator's name. */
    actor: text("actor").notNull(),
    /** The request that made the change. */
    requestId: text("request_id").notNull(),
    /** What was done, for example `ledger.refresh`. */
    action: text("action").notNull(),
    /** The id of what it was done to. */
    target: text("target").notNull(),
    /** The partner that it concerns, if it is known. */
    partnerId: text("partner_id"),
    /** JSON object of the changed values as they were; null for what is new or has no former values. */
    before: text("before"),
    /** JSON object of the values as they are now, or of what was asked for; null if there are none. */
    after: text("after"),
  },
  (table) => [
    index("audit_log_by_time").on(table.at),
    index("audit_log_by_target").on(table.target, table.at),
    index("audit_log_by_partner").on(table.partnerId, table.at),
    index("audit_log_by_request").on(table.requestId),
  ],
);
