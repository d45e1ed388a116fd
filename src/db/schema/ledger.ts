import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, moment } from "./columns.ts";

export const movementStatuses = ["completed", "pending", "failed", "refunded", "disputed", "dispute_won"] as const;
export const movementTypes = [
  "processor_payment_in",
  "processor_payment_failure",
  "processor_refund",
  "processor_refund_failure",
  "processor_dispute_freeze",
  "processor_dispute_return",
] as const;
export const processorEventStates = ["received", "processed", "parked"] as const;

/**
 * A money movement, named after the processor's balance transaction. Amounts are minor units of the settlement
 * currency, signed. `partnerId` is null while nobody can say whose it is: such rows are kept for operators.
 */
export const movements = sqliteTable(
  "movements",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id"),
    environment: environment(),
    amount: integer("amount").notNull(),
    fee: integer("fee"),
    net: integer("net"),
    currency: text("currency").notNull(),
    status: text("status", { enum: movementStatuses }).notNull(),
    type: text("type", { enum: movementTypes }),
    transactionDate: moment("transaction_date").notNull(),
    description: text("description"),
    isSubscription: integer("is_subscription", { mode: "boolean" }).notNull(),
    clientReferenceId: text("client_reference_id"),
    paymentIntentId: text("payment_intent_id"),
    sourceId: text("source_id"),
    subscriptionId: text("subscription_id"),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [
    index("movements_by_date").on(table.partnerId, table.transactionDate, table.id),
    index("movements_by_environment").on(table.partnerId, table.environment, table.transactionDate, table.id),
    index("movements_by_reference")
      .on(table.partnerId, table.clientReferenceId, table.transactionDate, table.id)
      .where(sql`client_reference_id IS NOT NULL`),
    index("movements_by_reference_and_environment")
      .on(table.partnerId, table.clientReferenceId, table.environment, table.transactionDate, table.id)
      .where(sql`client_reference_id IS NOT NULL`),
    index("movements_by_payment").on(table.paymentIntentId, table.transactionDate, table.id),
    index("movements_unattributed").on(table.transactionDate).where(sql`partner_id IS NULL`),
  ],
);

/** The processor's objects as last fetched, for snapshots. Their checkout addresses are cut out before storing. */
export const processorObjects = sqliteTable(
  "processor_objects",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    environment: environment(),
    paymentIntentId: text("payment_intent_id"),
    data: text("data").notNull(),
    fetchedAt: moment("fetched_at").notNull(),
  },
  (table) => [index("processor_objects_by_payment").on(table.paymentIntentId)],
);

/** Events of the processor, stored once by their id before they are acknowledged; the row is the to-do list. */
export const processorEvents = sqliteTable(
  "processor_events",
  {
    id: text("id").primaryKey(),
    environment: environment(),
    type: text("type").notNull(),
    objectId: text("object_id").notNull(),
    payload: text("payload").notNull(),
    state: text("state", { enum: processorEventStates }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: moment("next_attempt_at").notNull(),
    lastError: text("last_error"),
    receivedAt: moment("received_at").notNull(),
    processedAt: moment("processed_at"),
  },
  (table) => [
    index("processor_events_due").on(table.nextAttemptAt).where(sql`state = 'received'`),
    index("processor_events_parked").on(table.receivedAt).where(sql`state = 'parked'`),
  ],
);

/** How far a sweep has come: `cursor` is a moment up to which the processor's own list was compared. */
export const sweeps = sqliteTable("sweeps", {
  name: text("name").primaryKey(),
  cursor: moment("cursor").notNull(),
  found: integer("found").notNull().default(0),
  updatedAt: moment("updated_at").notNull(),
});
