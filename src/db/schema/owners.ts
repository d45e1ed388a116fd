import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Owners named by operators, for payments whose evidence shows no owner or contradicts itself. */
export const namedOwners = sqliteTable("named_owners", {
  /** A payment or subscription. */
  subject: text("subject").primaryKey(),
  partnerId: text("partner_id").notNull(),
  /** When it was named. */
  at: timestamp("at").notNull(),
});
