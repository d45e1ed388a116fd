import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { movementStatuses, movementTypes } from "../../core/movements.ts";
import { environment, timestamp } from "./columns.ts";

export const processorEventStates = ["received", "processed", "parked"] as const;

/**
 * A money movement. Its id is the id of the processor's balance transaction. Amounts are signed, in minor units of the
 * settlement currency. `partnerId` is null while the owner is unknown. Such rows are kept for operators.
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
    transactionDate: timestamp("transaction_date").notNull(),
    description: text("description"),
    isSubscription: integer("is_subscription", { mode: "boolean" }).notNull(),
    clientReferenceId: text("client_reference_id"),
    paymentIntentId: text("payment_intent_id"),
    sourceId: text("source_id"),
    subscriptionId: text("subscription_id"),
    updatedAt: timestamp("updated_at").notNull(),
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

/** The last fetched version of processor objects, for snapshots. Checkout URLs are removed before storing. */
export const processorObjects = sqliteTable(
  "processor_objects",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    environment: environment(),
    paymentIntentId: text("payment_intent_id"),
    data: text("data").notNull(),
    fetchedAt: timestamp("fetched_at").notNull(),
  },
  (table) => [index("processor_objects_by_payment").on(table.paymentIntentId)],
);

/** Processor events, stored once by id before they are acknowledged. The rows are the list of pending work. */
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
    nextAttemptAt: timestamp("next_attempt_at").notNull(),
    lastError: text("last_error"),
    receivedAt: timestamp("received_at").notNull(),
    processedAt: timestamp("processed_at"),
  },
  (table) => [
    index("processor_events_due").on(table.nextAttemptAt).where(sql`state = 'received'`),
    index("processor_events_parked").on(table.receivedAt).where(sql`state = 'parked'`),
  ],
);

/** Progress of the reconciliations: the processor's list has been compared until `comparedUntil`. */
export const reconciliations = sqliteTable("reconciliations", {
  name: text("name").primaryKey(),
  comparedUntil: timestamp("compared_until").notNull(),
  missingCount: integer("missing_count").notNull().default(0),
  updatedAt: timestamp("updated_at").notNull(),
});
