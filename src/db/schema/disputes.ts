import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";

/** The last received state of each dispute of a payment with a known owner, and of each inquiry of a customer's bank. */
export const disputes = sqliteTable(
  "disputes",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** The disputed payment. */
    paymentIntentId: text("payment_intent_id"),
    /** The partner's order reference; null for a renewal. */
    clientReferenceId: text("client_reference_id"),
    /** What the customer wants back, in minor units, positive. */
    amount: integer("amount").notNull(),
    /** ISO 4217, upper case: what the customer was charged in. */
    currency: text("currency").notNull(),
    /** The customer's reason, in the processor's word. */
    reason: text("reason").notNull(),
    /** In the processor's spelling. */
    status: text("status").notNull(),
    /** When evidence must be there at the latest; null if none can be given. */
    evidenceDueBy: timestamp("evidence_due_by"),
    /** The last notice of this deadline: how many days before it. Null: none yet. */
    noticedDays: integer("noticed_days"),
    /** When it was opened. */
    createdAt: timestamp("created_at").notNull(),
    /** The time of the state that this row shows. */
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [
    index("disputes_of_partner").on(table.partnerId, table.environment, table.createdAt, table.id),
    index("disputes_by_payment").on(table.paymentIntentId, table.createdAt, table.id),
    index("disputes_due").on(table.evidenceDueBy, table.id).where(sql`status IN ('needs_response', 'warning_needs_response')`),
  ],
);
