import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { movementStatuses, movementTypes } from "../../core/movements.ts";
import { environment, timestamp } from "./columns.ts";

export const refreshStates = ["due", "parked", "gone"] as const;

/** Why a look-up failed: the processor did not answer, it refused, it has no such object, or the fault is ours. */
export const refreshFailures = ["outage", "refused", "gone", "internal"] as const;
export type RefreshFailure = (typeof refreshFailures)[number];

/**
 * A money movement. Its id is the id of the processor's balance transaction. Amounts are signed, in minor units of the
 * settlement currency. `partnerId` is null while the owner is unknown; such rows are usually in the directory, and are
 * kept for operators.
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
    /** When the balance transaction was created. */
    transactionDate: timestamp("transaction_date").notNull(),
    /** The charge's description. */
    description: text("description"),
    /** Whether a subscription caused it. */
    isSubscription: integer("is_subscription", { mode: "boolean" }).notNull(),
    /** The partner's order reference from the checkout. */
    clientReferenceId: text("client_reference_id"),
    /** The payment, `pi_…`; null where there is none. */
    paymentIntentId: text("payment_intent_id"),
    /** The payment link of the payment, or of its subscription; null if there is none. */
    paymentLinkId: text("payment_link_id"),
    /** The amount charged or returned, signed, before conversion; null if unknown. */
    chargedAmount: integer("charged_amount"),
    /** ISO 4217, upper case. */
    chargedCurrency: text("charged_currency"),
    /** The charge, refund or dispute that caused it. */
    sourceId: text("source_id"),
    /** The subscription that the payment is for. */
    subscriptionId: text("subscription_id"),
    /**
     * The names of the partner events that were recorded for this row, each followed by a comma. They are never
     * recorded again.
     */
    recordedEvents: text("recorded_events").notNull().default(""),
    /** When the processor makes the money available; null if it is not known. */
    availableAt: timestamp("available_at"),
    /** When it was stored for its owner. It never changes: a statement has what was booked before it was closed. */
    bookedAt: timestamp("booked_at").notNull().default(0),
    /** The time of the processor's state that this row shows. */
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [
    index("movements_by_environment")
      .on(table.partnerId, table.environment, table.transactionDate, table.id)
      .where(sql`partner_id IS NOT NULL`),
    index("movements_by_reference")
      .on(table.partnerId, table.clientReferenceId, table.environment, table.transactionDate, table.id)
      .where(sql`client_reference_id IS NOT NULL`),
    index("movements_by_link").on(table.paymentLinkId, table.transactionDate).where(sql`payment_link_id IS NOT NULL`),
    index("movements_by_payment").on(table.paymentIntentId, table.transactionDate, table.id),
    index("movements_unattributed").on(table.transactionDate).where(sql`partner_id IS NULL`),
  ],
);

/**
 * The processor's events, stored once before they are acknowledged. An event is found by its subject, and names the
 * objects to fetch again.
 */
export const processorEvents = sqliteTable(
  "processor_events",
  {
    /** The id of the payment or subscription that the event is about, as far as the event shows it. */
    subject: text("subject").notNull(),
    /** The processor's id of the event. */
    id: text("id").notNull(),
    environment: environment(),
    /** The processor's event type. */
    type: text("type").notNull(),
    /** The id of the event's object. */
    objectId: text("object_id").notNull(),
    /** When it was stored; at least the time since which its subject waits for a refresh. */
    receivedAt: timestamp("received_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject, table.id] })],
);

/** The list of pending work: the subjects of events, from their arrival until they are refreshed. */
export const refreshes = sqliteTable(
  "refreshes",
  {
    /** The id of a payment or subscription. */
    subject: text("subject").primaryKey(),
    environment: environment(),
    /** `due`: it will be tried again. `parked`: it waits for an operator. `gone`: the processor has no such object. */
    state: text("state", { enum: refreshStates }).notNull(),
    /** Failed attempts. */
    attempts: integer("attempts").notNull(),
    /** When it is due. */
    nextAttemptAt: timestamp("next_attempt_at").notNull(),
    /** The message of the last failure. */
    lastError: text("last_error"),
    /** Since when it waits: events received since then are not processed yet. */
    since: timestamp("since").notNull(),
    /** The kind of the last failure; null if the last attempt did not fail. */
    failure: text("failure", { enum: refreshFailures }),
  },
  (table) => [
    index("refreshes_due").on(table.nextAttemptAt).where(sql`state = 'due'`),
    index("refreshes_parked").on(table.since).where(sql`state = 'parked'`),
    index("refreshes_gone").on(table.since).where(sql`state = 'gone'`),
  ],
);

/** Rows that an operator dismissed: a movement without a partner, or a parked subject. The audit log has the reason. */
export const dismissals = sqliteTable("dismissals", {
  /** The movement, or the payment or subscription. */
  id: text("id").primaryKey(),
  /** When it was dismissed. A subject that is parked again later waits again. */
  at: timestamp("at").notNull(),
});
