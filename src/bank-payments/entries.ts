import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { DAY } from "../core/clock.ts";
import { type Cell, inList } from "../db/client.ts";
import type { EntrySelection } from "../db/entries.ts";
import { isOwnedBy } from "../db/newest-page.ts";
import { bankMovements } from "../db/schema/bank.ts";

/** How many days after a payment the bank credits it, by terminal. */
export type SettlementDays = Readonly<Record<string, number>>;

/** What moved rubles as entries of the books, by index. The bank does not say its fee with a payment, so it is none of them. */
export function bankEntries({ partnerId, environments, period }: EntrySelection, days: SettlementDays): SQL {
  const { type, transactionDate: at, terminal } = bankMovements;
  const wait = sql`COALESCE(${JSON.stringify(days)} ->> ${terminal}, 0) * ${DAY}`;
  return sql`SELECT ${bankMovements.partnerId} AS partner_id, ${bankMovements.orderId} AS order_id, ${bankMovements.orderId} || ':' || ${bankMovements.name} AS entry_id,
    ${bankMovements.environment} AS environment, NULL AS link,
    CASE ${type} WHEN 'bank_refund' THEN 'refund' ELSE 'payment' END AS kind,
    ${bankMovements.amount} AS amount, 0 AS fee, 'RUB' AS currency, ${at} AS at, ${bankMovements.bookedAt} AS booked_at,
    ${at} + ${wait} AS available_at, ${type} = 'bank_payment_in' AS is_sale,
    ${type} = 'bank_payment_in' AS is_charge, 0 AS is_pending, ${at} AS terms_at
    FROM ${bankMovements} WHERE ${isOwnedBy(bankMovements.partnerId, { partnerId })} AND ${bankMovements.environment} IN ${inList(environments)}
    AND ${at} >= ${period.from} AND ${at} < ${period.to}`;
}

const terminalSchema = z.array(z.object({ terminal: z.string(), payments: z.int(), refunds: z.int(), count: z.int() }));

/** What rubles moved at a terminal, in kopecks: refunds negative. */
export type TerminalSums = z.infer<typeof terminalSchema>[number];

/** The sums of some partners' ruble movements of a period by terminal, without some entries, by index. One D1 round trip. */
export async function sumTerminals(
  db: Cell,
  { partnerId, environments, period }: EntrySelection,
  without: readonly string[],
): Promise<TerminalSums[]> {
  const { type, amount, transactionDate: at, terminal } = bankMovements;
  const sumOf = (isIt: SQL) => sql`COALESCE(SUM(${amount}) FILTER (WHERE ${isIt}), 0)`;
  const rows = await db.all(sql`SELECT ${terminal} AS terminal, ${sumOf(sql`${type} <> 'bank_refund'`)} AS payments,
    ${sumOf(sql`${type} = 'bank_refund'`)} AS refunds, COUNT(*) AS count
    FROM ${bankMovements} WHERE ${isOwnedBy(bankMovements.partnerId, { partnerId })} AND ${bankMovements.environment} IN ${inList(environments)}
    AND ${at} >= ${period.from} AND ${at} < ${period.to}
    AND ${bankMovements.orderId} || ':' || ${bankMovements.name} NOT IN ${inList(without)} GROUP BY 1`);
  return terminalSchema.parse(rows);
}
