import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, moment } from "./columns.ts";

/** A subscription as last heard of; whose it is comes from its metadata. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id"),
    environment: environment(),
    status: text("status").notNull(),
    cancelAtPeriodEnd: integer("cancel_at_period_end", { mode: "boolean" }).notNull(),
    cancelAt: moment("cancel_at"),
    currentPeriodEnd: moment("current_period_end"),
    paymentLinkId: text("payment_link_id"),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [index("subscriptions_by_partner").on(table.partnerId)],
);
