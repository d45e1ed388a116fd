import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { bankEntries, type SettlementDays } from "../bank-payments/entries.ts";
import { type Cell, isNotAmong } from "../db/client.ts";
import type { EntrySelection } from "../db/entries.ts";
import { cardEntries } from "../ledger/movements/entries.ts";
import { freeEntries } from "../orders/entries.ts";

/** Everything that moved money, and the orders with nothing to pay: one SELECT, in the columns of {@link EntrySelection}. */
export function entriesOf(selection: EntrySelection, days: SettlementDays = {}): SQL {
  return sql`${cardEntries(selection)} UNION ALL ${bankEntries(selection, days)} UNION ALL ${freeEntries(selection)}`;
}

const idsSchema = z.array(z.object({ id: z.string() }));

/** The entries of a database of before a time, in the order of their ids: in a partner's current one, those that may be copies. */
export async function entriesBefore(db: Cell, selection: EntrySelection, until: number): Promise<string[]> {
  const { from, to } = selection.period;
  const period = { from, to: Math.min(to, until) };
  const rows = await db.all(sql`SELECT e.entry_id AS id FROM (${entriesOf({ ...selection, period })}) AS e ORDER BY 1`);
  return idsSchema.parse(rows).map(({ id }) => id);
}

/** SQL condition: the entry `e` is none of these. */
export const isNoneOf = (ids: readonly string[]): SQL => isNotAmong(sql`e.entry_id`, ids);
