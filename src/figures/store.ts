import { and, eq, getTableColumns, inArray, lt, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { hasBankMovements } from "../bank-payments/daily-bank-payments.ts";
import type { Period } from "../core/clock.ts";
import { type Cell, inList, type Statement } from "../db/client.ts";
import { dailyDeliveries, dailyEndpoints, dailyPayments } from "../db/schema/figures.ts";
import { excluded } from "../db/upsert.ts";
import { hasMovements } from "../ledger/movements/daily.ts";
import { hasDeliveries } from "../webhooks/admin/daily-deliveries.ts";
import { hasEvents } from "../webhooks/admin/daily-endpoints.ts";

export type DailyPayments = typeof dailyPayments.$inferSelect;
export type DailyDeliveries = typeof dailyDeliveries.$inferSelect;

/** The `partnerId` of the rows for all partners of a cell. It is the id of no partner. */
export const ALL = "";

const payments = {
  table: dailyPayments,
  key: [dailyPayments.day, dailyPayments.partnerId, dailyPayments.environment, dailyPayments.source, dailyPayments.currency],
};
const deliveries = { table: dailyDeliveries, key: [dailyDeliveries.day, dailyDeliveries.partnerId, dailyDeliveries.environment] };

const ofEndpoints = { table: dailyEndpoints, key: [dailyEndpoints.day, dailyEndpoints.endpointId] };

/** Stores counted rows. `counted` must select all columns of the table, in table order. */
export const storePayments = (db: Cell, counted: SQL): Statement => replace(db, payments, counted);
export const storeDeliveries = (db: Cell, counted: SQL): Statement => replace(db, deliveries, counted);

export const storeEndpoints = (db: Cell, counted: SQL): Statement => replace(db, ofEndpoints, counted);

/** An unchanged row is not written. */
function replace(db: Cell, { table, key }: { readonly table: SQLiteTable; readonly key: SQLiteColumn[] }, counted: SQL): Statement {
  const counts = Object.entries(getTableColumns(table)).filter(([, column]) => !key.includes(column));
  const old = sql.join(
    counts.map(([, column]) => sql`${column}`),
    sql`, `,
  );
  const incoming = sql.join(
    counts.map(([, column]) => excluded(column)),
    sql`, `,
  );
  return db
    .insert(table)
    .select(counted)
    .onConflictDoUpdate({
      target: key,
      set: Object.fromEntries(counts.map(([name, column]) => [name, excluded(column)])),
      setWhere: sql`(${old}) IS NOT (${incoming})`,
    });
}

/**
 * Deletes the stored counts of some partners on a day if this database has no row of theirs left to count: the partner's newest cell, to
 * which the rows were pulled, counts them.
 */
export function forgetPulled(db: Cell, partnerIds: readonly string[], day: Period): Statement[] {
  const isLeft = sql`CASE ${dailyPayments.source} WHEN 'bank' THEN ${hasBankMovements(dailyPayments, day)} ELSE ${hasMovements(dailyPayments, day)} END`;
  const forget = (table: typeof dailyPayments | typeof dailyDeliveries | typeof dailyEndpoints, isCounted: SQL) =>
    db.delete(table).where(and(eq(table.day, day.from), inArray(table.partnerId, inList(partnerIds)), not(isCounted)));
  return [
    forget(dailyPayments, isLeft),
    forget(dailyDeliveries, hasDeliveries(dailyDeliveries, day)),
    forget(dailyEndpoints, hasEvents(dailyEndpoints, day)),
  ];
}

function sums(...columns: SQLiteColumn[]): SQL {
  const each = columns.map((column) => sql`SUM(${column})`);
  return sql.join(each, sql`, `);
}

/** SQL condition: a sum of a day to which no partner of the cell adds any more. */
function isOfNone({ table, key }: typeof payments | typeof deliveries, counted: number): SQL {
  const group = key
    .filter((column) => column !== table.partnerId)
    .map(({ name }) => sql`own.${sql.identifier(name)} = ${table}.${sql.identifier(name)}`);
  const hasOwn = sql`EXISTS (SELECT 1 FROM ${table} AS own WHERE own.partner_id <> ${ALL} AND ${sql.join(group, sql` AND `)})`;
  return sql`${table.day} = ${counted} AND ${table.partnerId} = ${ALL} AND NOT ${hasOwn}`;
}

/** Sums the rows of all partners of the cell, for one day. */
export function storeTotals(db: Cell, counted: number): Statement[] {
  const ofPartners = (day: SQLiteColumn, partnerId: SQLiteColumn) => sql`${day} = ${counted} AND ${partnerId} <> ${ALL}`;
  const { day, partnerId, environment, source, currency, ...amounts } = getTableColumns(dailyPayments);
  const { events, delivered, givenUp, waiting, oldestWaiting } = dailyDeliveries;
  return [
    // A partner that has moved leaves nothing of its own behind: where it was the only one, the sum goes too.
    db.delete(dailyPayments).where(isOfNone(payments, counted)),
    db.delete(dailyDeliveries).where(isOfNone(deliveries, counted)),
    storePayments(
      db,
      sql`SELECT ${day}, ${ALL}, ${environment}, ${source}, ${currency}, ${sums(...Object.values(amounts))}
        FROM ${dailyPayments} WHERE ${ofPartners(day, partnerId)} GROUP BY 1, 3, 4, 5`,
    ),
    storeDeliveries(
      db,
      sql`SELECT ${dailyDeliveries.day}, ${ALL}, ${dailyDeliveries.environment}, ${sums(events, delivered, givenUp, waiting)}, MIN(${oldestWaiting})
        FROM ${dailyDeliveries} WHERE ${ofPartners(dailyDeliveries.day, dailyDeliveries.partnerId)} GROUP BY 1, 3`,
    ),
  ];
}

/** The rows of one partner, or of {@link ALL}, in one environment on some days. One round trip, by the primary keys. */
export async function readDays(db: Cell, partnerId: string, environment: "live" | "test", days: readonly number[]) {
  const ofTable = ({ table }: typeof payments | typeof deliveries) =>
    and(inArray(table.day, inList(days)), eq(table.partnerId, partnerId), eq(table.environment, environment));
  return db.batch([db.select().from(dailyPayments).where(ofTable(payments)), db.select().from(dailyDeliveries).where(ofTable(deliveries))]);
}

/** A count of one day as it would be stored, read and not stored. One D1 round trip for each count. */
export async function readCounted(db: Cell, counted: { readonly payments: readonly SQL[]; readonly deliveries: SQL }) {
  const [deliveryRows, ...paymentRows] = await Promise.all([
    rowsOf(db, dailyDeliveries, counted.deliveries),
    ...counted.payments.map((count) => rowsOf(db, dailyPayments, count)),
  ]);
  return { payments: paymentRows.flat(), deliveries: deliveryRows };
}

/** The rows of a count, which selects all columns of the table, in table order. */
async function rowsOf<Table extends SQLiteTable>(db: Cell, table: Table, count: SQL): Promise<Table["$inferSelect"][]> {
  const fields = Object.keys(getTableColumns(table));
  const rows = await db.values(count);
  // The count selects the columns of the table.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return rows.map((row) => Object.fromEntries(fields.map((field, index) => [field, row[index]])) as Table["$inferSelect"]);
}

/** Deletes the counts of the days before a time. */
export function deleteDaysBefore(db: Cell, time: number): Statement[] {
  return [
    db.delete(dailyPayments).where(lt(dailyPayments.day, time)),
    db.delete(dailyDeliveries).where(lt(dailyDeliveries.day, time)),
    db.delete(dailyEndpoints).where(lt(dailyEndpoints.day, time)),
  ];
}

/** The counted days of an endpoint. By index. */
export async function readEndpointDays(db: Cell, endpointId: string, days: readonly number[]) {
  return db
    .select()
    .from(dailyEndpoints)
    .where(and(inArray(dailyEndpoints.day, inList(days)), eq(dailyEndpoints.endpointId, endpointId)))
    .all();
}

/** A count of deliveries by endpoint as it would be stored, read and not stored. One D1 round trip. */
export const readCountedEndpoints = (db: Cell, counted: SQL) => rowsOf(db, dailyEndpoints, counted);
