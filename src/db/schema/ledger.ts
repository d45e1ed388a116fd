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
    /** Signed. */
    amount: integer("amount").notNull(),
    /** The processor's fee; null while unknown. */
    fee: integer("fee"),
    /** Amount minus fee; null while unknown. */
    net: integer("net"),
    /** The settlement currency, ISO 4217, upper case. */
    currency: text("currency").notNull(),
    /** As partners see it. */
    status: text("status", { enum: movementStatuses }).notNull(),
    /** What moved the money; null where it could not be classified. */
    type: text("type", { enum: movementTypes }),
    /** When the balance transaction was made. */
    transactionDate: timestamp("transaction_date").notNull(),
    /** The charge's description. */
    description: text("description"),
    /** Whether a subscription caused it. */
    isSubscription: integer("is_subscription", { mode: "boolean" }).notNull(),
    /** The partner's order reference from the checkout. */
    clientReferenceId: text("client_reference_id"),
    /** The payment, `pi_…`; null where there is none. */
    paymentIntentId: text("payment_intent_id"),
    /** The charge, refund or dispute that caused it. */
    sourceId: text("source_id"),
    /** The subscription that it pays for. */
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
    /** The processor's name of the kind of object. */
    type: text("type").notNull(),
    environment: environment(),
    /** The payment that it belongs to; null for a subscription. */
    paymentIntentId: text("payment_intent_id"),
    /** The object as JSON. */
    data: text("data").notNull(),
    /** When it was fetched. */
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
    /** The processor's event type. */
    type: text("type").notNull(),
    /** The id of the event's object. */
    objectId: text("object_id").notNull(),
    /** Whether it is still to be processed. */
    state: text("state", { enum: processorEventStates }).notNull(),
    /** Attempts so far. */
    attempts: integer("attempts").notNull().default(0),
    /** When it is due. */
    nextAttemptAt: timestamp("next_attempt_at").notNull(),
    /** Why the last attempt failed. */
    lastError: text("last_error"),
    /** When it was stored. */
    receivedAt: timestamp("received_at").notNull(),
    /** When it was processed. */
    processedAt: timestamp("processed_at"),
  },
  (table) => [
    index("processor_events_due").on(table.nextAttemptAt).where(sql`state = 'received'`),
    index("processor_events_parked").on(table.receivedAt).where(sql`state = 'parked'`),
  ],
);

/** Progress of the reconciliations: the processor's list has been compared until `comparedUntil`. */
export const reconciliations = sqliteTable("reconciliations", {
  /** What is compared, the environment, and the pass. */
  name: text("name").primaryKey(),
  /** The processor's list was compared up to this time. */
  comparedUntil: timestamp("compared_until").notNull(),
  /** Entries that were missing so far. */
  missingCount: integer("missing_count").notNull().default(0),
  updatedAt: timestamp("updated_at").notNull(),
});
