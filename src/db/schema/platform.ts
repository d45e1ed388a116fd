import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { environments } from "../../core/environment.ts";
import { timestamp } from "./columns.ts";

export const platformSources = ["processor", "bank"] as const;

/**
 * What moved money between the processor or the bank and us: fees, payouts to our bank account, reserves. It belongs to no partner and
 * stands in no partner's books. None is ever changed.
 */
export const platformTransactions = sqliteTable(
  "platform_transactions",
  {
    /** The processor's `txn_…`, or `bf_…` for a fee of the bank. */
    id: text("id").primaryKey(),
    /** Whose transaction it is. */
    source: text("source", { enum: platformSources }).notNull(),
    environment: text("environment", { enum: environments }).notNull(),
    /** The processor's type, or `bank_fee`. */
    type: text("type").notNull(),
    /** Signed, in minor units: negative for what was taken from us, or left the balance. */
    amount: integer("amount").notNull(),
    /** What the processor took for the transaction itself, in minor units; positive where it is a cost. */
    fee: integer("fee").notNull(),
    /** ISO 4217, upper case. */
    currency: text("currency").notNull(),
    /** When it was made there. */
    at: timestamp("at").notNull(),
    /** When the processor counts it as settled. */
    availableAt: timestamp("available_at").notNull(),
    /** The processor's text, or the document of the bank that says the fee. */
    description: text("description"),
    /** Of a bank's fee: the terminal. */
    terminal: text("terminal"),
    /** The operator who entered it, as in the audit log; null for what the processor listed. */
    holder: text("holder"),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [
    index("platform_transactions_by_time").on(table.environment, table.at, table.id),
    uniqueIndex("platform_transactions_once").on(table.environment, table.terminal, table.description).where(sql`source = 'bank'`),
  ],
);
