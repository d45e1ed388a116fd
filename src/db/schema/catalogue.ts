import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { priceUnits } from "../../core/money.ts";
import { moderationStates } from "../../core/object-states.ts";
import { environment, timestamp } from "./columns.ts";
import { partners } from "./partners.ts";

/**
 * Card products as stored by moderation. Type, currency and interval are plain text on purpose: a damaged row must be
 * readable, so that the error can name this product and the query does not fail for all products.
 */
export const cardProducts = sqliteTable(
  "card_products",
  {
    id: text("id").primaryKey(),
    /** Null until its approval creates the product at the processor. */
    processorProductId: text("processor_product_id").unique(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    environment: environment(),
    /** The name that customers see. */
    name: text("name").notNull(),
    /** Free text for customers. */
    description: text("description"),
    /** `one_time` or `subscription`. */
    type: text("type").notNull(),
    /** ISO 4217, upper case. */
    currency: text("currency").notNull(),
    /** The catalogue price in minor units. */
    unitAmount: integer("unit_amount").notNull(),
    /** `day`, `week`, `month` or `year`; null for a one-time product. */
    interval: text("interval"),
    /** Intervals in a period; null for a one-time product. */
    intervalCount: integer("interval_count"),
    /** JSON array of method names. Null: the product has no own default set. */
    paymentMethodTypes: text("payment_method_types"),
    /** Whether it may be sold. */
    moderation: text("moderation", { enum: moderationStates }).notNull(),
    /** Why it was rejected, for its partner; null if it was not, or without a reason. */
    rejectionReason: text("rejection_reason"),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
    /** Counts the changes, so that an update based on an older state does not overwrite a newer one. */
    revision: integer("revision").notNull().default(1),
  },
  (table) => [
    index("card_products_by_partner").on(table.partnerId, table.id),
    index("card_products_waiting").on(table.updatedAt, table.id).where(sql`moderation = 'in_review'`),
  ],
);

/** Ruble products. `terminal` is the name of the bank terminal. The terminal determines the tax regime. */
export const rubleProducts = sqliteTable(
  "ruble_products",
  {
    id: integer("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    /** The name on the receipt. */
    name: text("name").notNull(),
    /** `RUB`; a product in another currency cannot be sold. */
    currency: text("currency").notNull(),
    /** The catalogue price in kopecks. */
    unitAmount: integer("unit_amount").notNull(),
    /** The name of the bank terminal; null where none is chosen. */
    terminal: text("terminal"),
    /** The rate in the bank's spelling. */
    vat: text("vat"),
    /** What it is on the receipt (tag 1212), in the bank's spelling; null: as its terminal says. */
    receiptSubject: text("receipt_subject"),
    /** How it is settled (tag 1214); null: as its terminal says. */
    receiptMethod: text("receipt_method"),
    /** The unit of its quantity, for terminals of FFD 1.2; null: as its terminal says. */
    measurementUnit: text("measurement_unit"),
    /** Whether it may be sold. */
    moderation: text("moderation", { enum: moderationStates }).notNull(),
    /** Why it was rejected, for its partner; null if it was not, or without a reason. */
    rejectionReason: text("rejection_reason"),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
    /** Counts the changes, so that an update based on an older state does not overwrite a newer one. */
    revision: integer("revision").notNull().default(1),
  },
  (table) => [
    index("ruble_products_by_partner").on(table.partnerId, table.id),
    index("ruble_products_waiting").on(table.updatedAt, table.id).where(sql`moderation = 'in_review'`),
  ],
);

/** Imports of products, by the digest of the file: the same file is imported once. */
export const productImports = sqliteTable("product_imports", {
  /** `imp_` and the beginning of the file's SHA-256. */
  id: text("id").primaryKey(),
  /** Its products. */
  rows: integer("rows").notNull(),
  /** How its prices were read. */
  prices: text("prices", { enum: priceUnits }).notNull().default("minor"),
  createdAt: timestamp("created_at").notNull(),
});
