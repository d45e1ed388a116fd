import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment } from "./columns.ts";

/** How often customers opened each short link, by day. A day without one has no row. */
export const linkOpens = sqliteTable(
  "link_opens",
  {
    /** The link. */
    paymentLinkId: text("payment_link_id").notNull(),
    /** A day of the partner's time zone, such as `2026-11-27`. */
    day: text("day").notNull(),
    /** Its owner. */
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** As often as it was opened: an estimate, where the platform kept a sample. */
    opens: integer("opens").notNull(),
  },
  (table) => [primaryKey({ columns: [table.paymentLinkId, table.day] }), index("link_opens_of_partner").on(table.partnerId, table.day)],
);
