import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** The chats of partners, to which notifications are sent. */
export const chats = sqliteTable("chats", {
  /** Whose chat it is. */
  partnerId: text("partner_id").primaryKey(),
  /** An incoming webhook, or a Telegram bot. */
  kind: text("kind", { enum: ["webhook", "telegram"] }).notNull(),
  /** JSON of the address, encrypted: its holder can write to the chat. */
  address: text("address").notNull(),
  /** When it was set. */
  updatedAt: timestamp("updated_at").notNull(),
});
