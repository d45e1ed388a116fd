import { or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hasBankRefund } from "../bank-payments/money.ts";
import type { Period } from "../core/clock.ts";
import { hasCardRefund } from "../ledger/movements/entries.ts";

/** SQL condition: a refund of the order, at the processor or at the bank, is of this time. Each by the index of its order. */
export const isRefundedIn =
  (period: Period) =>
  (order: SQLiteColumn): SQL =>
    or(hasCardRefund(order, period), hasBankRefund(order, period)) ?? sql`FALSE`;
