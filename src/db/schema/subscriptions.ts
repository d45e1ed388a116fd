import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";

/** The last received state of each subscription. Its metadata determines the owner. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id"),
    environment: environment(),
    status: text("status").notNull(),
    cancelAtPeriodEnd: integer("cancel_at_period_end", { mode: "boolean" }).notNull(),
    cancelAt: timestamp("cancel_at"),
    currentPeriodEnd: timestamp("current_period_end"),
    paymentLinkId: text("payment_link_id"),
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [index("subscriptions_by_partner").on(table.partnerId)],
);
