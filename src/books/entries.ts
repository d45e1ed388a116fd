import { type SQL, sql } from "drizzle-orm";
import { bankEntries, type SettlementDays } from "../bank-payments/entries.ts";
import type { EntrySelection } from "../db/entries.ts";
import { cardEntries } from "../ledger/movements/entries.ts";
import { freeEntries } from "../orders/entries.ts";

/** Everything that moved money, and the orders with nothing to pay: one SELECT, in the columns of {@link EntrySelection}. */
export function entriesOf(selection: EntrySelection, days: SettlementDays = {}): SQL {
  return sql`${cardEntries(selection)} UNION ALL ${bankEntries(selection, days)} UNION ALL ${freeEntries(selection)}`;
}
