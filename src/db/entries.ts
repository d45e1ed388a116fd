import type { SQL } from "drizzle-orm";
import type { Period } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import type { OwnList } from "./newest-page.ts";

/**
 * The entries of the books: what moved money, of cards and rubles alike, and orders with nothing to pay. Each module that has some
 * selects them in the same columns: `partner_id`, `order_id`, `entry_id`, `environment`, `link`, `kind` (`payment`, `refund` or `dispute`), `amount`
 * and `fee` (signed as in movements), `currency`, `at`, `booked_at`, `available_at`, `is_sale`: whether it is the payment that makes
 * an order, `is_charge`: whether the service keeps a part of it by its terms, or gives that part back, `is_pending`: whether it is a payment
 * that may still fail, and `terms_at`: the time whose terms it has.
 */
export interface EntrySelection {
  readonly partnerId: OwnList["partnerId"];
  readonly environments: readonly Environment[];
  /** When the money moved. */
  readonly period: Period;
}

/** Selects a module's entries. */
export type SelectEntries = (selection: EntrySelection) => SQL;
