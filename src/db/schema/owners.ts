import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Owners that operators have named, where the evidence shows none or contradicts itself. */
export const namedOwners = sqliteTable("named_owners", {
  /** A payment or subscription. */
  subject: text("subject").primaryKey(),
  partnerId: text("partner_id").notNull(),
  /** When. */
  at: timestamp("at").notNull(),
});
