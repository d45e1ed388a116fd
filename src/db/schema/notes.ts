import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** What operators wrote about an object, for their colleagues. */
export const notes = sqliteTable(
  "notes",
  {
    id: text("id").primaryKey(),
    /** The id of the object, such as a payment, an order reference or a partner. */
    target: text("target").notNull(),
    /** As it was typed; at most 1,000 characters. */
    text: text("text").notNull(),
    /** The operator who wrote it, by the name of the audit log. */
    author: text("author").notNull(),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [index("notes_by_target").on(table.target, table.createdAt)],
);
