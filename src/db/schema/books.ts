import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/**
 * What the service keeps of a partner's payments, from a time on. A later row of the same currency takes its place; none is
 * ever changed.
 */
export const terms = sqliteTable(
  "terms",
  {
    partnerId: text("partner_id").notNull(),
    /** ISO 4217, upper case: the settlement currency. */
    currency: text("currency").notNull(),
    /** The first moment of the payments that it is for. */
    since: timestamp("since").notNull(),
    /** Hundredths of a percent of each payment. */
    basisPoints: integer("basis_points").notNull(),
    /** A fixed part of each payment, in minor units. */
    fixed: integer("fixed").notNull(),
    /** The operator who set it, as in the audit log. */
    holder: text("holder").notNull(),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.partnerId, table.currency, table.since] })],
);

export const payoutStates = ["waiting", "recorded", "reversed"] as const;

/** Payouts to partners. They are made elsewhere; one operator enters and another one approves them. Of live data alone. */
export const payouts = sqliteTable(
  "payouts",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id").notNull(),
    /** ISO 4217, upper case. */
    currency: text("currency").notNull(),
    /** In minor units, positive. */
    amount: integer("amount").notNull(),
    /** The start of the day at the bank, in the partner's time zone. */
    paidAt: timestamp("paid_at").notNull(),
    /** That day: 2026-11-05. */
    date: text("date").notNull(),
    /** The bank's reference. */
    bankReference: text("bank_reference").notNull(),
    /** Whether it counts: not while it waits, and no more once it was taken back. */
    state: text("state", { enum: payoutStates }).notNull(),
    /** The operator who entered it, as in the audit log. */
    enteredBy: text("entered_by").notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** The operator who approved it; null while it waits. */
    approvedBy: text("approved_by"),
    /** Since when it counts; null while it waits. */
    approvedAt: timestamp("approved_at"),
    /** When it was taken back by an opposite entry; null if it was not. */
    reversedAt: timestamp("reversed_at"),
    /** Why. */
    reason: text("reason"),
  },
  (table) => [
    index("payouts_of_partner").on(table.partnerId, table.paidAt, table.id),
    index("payouts_waiting").on(table.createdAt).where(sql`state = 'waiting'`),
    uniqueIndex("payouts_once").on(table.partnerId, table.currency, table.bankReference).where(sql`state <> 'reversed'`),
  ],
);

/** Closed statements: a month of a partner in one currency, of live data. None is ever changed. Signed amounts in minor units. */
export const statements = sqliteTable(
  "statements",
  {
    id: text("id").primaryKey(),
    partnerId: text("partner_id").notNull(),
    /** Consecutive for each partner, from 1. */
    number: integer("number").notNull(),
    /** 2026-10. */
    month: text("month").notNull(),
    /** ISO 4217, upper case: the settlement currency. */
    currency: text("currency").notNull(),
    /** The partner's time zone when it was closed: the month is one of this zone. */
    timeZone: text("time_zone").notNull(),
    /** The end of the month: the start of the next one. */
    until: timestamp("until").notNull(),
    /** What was booked by then, and by no earlier statement, stands in this one. */
    bookedUntil: timestamp("booked_until").notNull(),
    /** The closing of the statement before; 0 for the first one. */
    opening: integer("opening").notNull(),
    /** What came in, and what failed after it was booked. */
    payments: integer("payments").notNull(),
    /** What was given back: negative. */
    refunds: integer("refunds").notNull(),
    /** What disputes took and returned. */
    disputes: integer("disputes").notNull(),
    /** The processor's fees, as they stand in movements: positive where they reduce the balance. */
    fees: integer("fees").notNull(),
    /** What the service keeps: negative. */
    terms: integer("terms").notNull(),
    /** What was paid out: negative. */
    payouts: integer("payouts").notNull(),
    /** The opening of the next one. */
    closing: integer("closing").notNull(),
    /** The number of its lines. */
    lines: integer("lines").notNull(),
    /** When it was closed. */
    closedAt: timestamp("closed_at").notNull(),
    /** The operator who closed it, as in the audit log; null: the cron. */
    closedBy: text("closed_by"),
  },
  (table) => [
    uniqueIndex("statements_once").on(table.partnerId, table.currency, table.month),
    uniqueIndex("statements_numbered").on(table.partnerId, table.number),
  ],
);
