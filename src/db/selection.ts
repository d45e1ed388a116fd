import { and, asc, desc, gt, lt, or, type SQL, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import type { SelectedFields, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { Period } from "../core/clock.ts";
import { type Environment, environmentSchema } from "../core/environment.ts";
import { decimalCurrencies } from "../core/money.ts";
import { addedUp, groupsBy } from "../core/sums.ts";
import { type Cell, isNotAmong } from "./client.ts";
import { isWithin, type ListData, type NewestPage, newestOf, type OpenQuery, type OwnList, type SummedData } from "./newest-page.ts";
import type { Dated } from "./partner-data.ts";

/** The most rows of a selection that are counted and summed, and the most that are looked at for a filter without an index. */
const MOST_COUNTED = 10_000;
const MOST_LOOKED_AT = 100_000;

/** Whose rows, in which environments, and what else is searched for. */
export interface Whose<Filter> {
  readonly partnerId: OwnList["partnerId"];
  /** Undefined: both. */
  readonly environment: Environment | undefined;
  readonly filter: Filter;
}

/** The same of a time. */
interface Selection<Filter> extends Whose<Filter> {
  readonly period: Period;
}

/** What is summed of a row: a column for each field of `Of`, in minor units. */
interface Summed<Of extends Readonly<Record<string, number>>> {
  /** Test money is never added to live money. */
  readonly environment: SQLiteColumn | SQL;
  readonly currency: SQLiteColumn | SQL;
  readonly fields: Readonly<Record<keyof Of & string, SQLiteColumn | SQL>>;
  readonly schema: z.ZodType<Of>;
}

/** Of rows that have no amount: they are counted alone. */
export const countedAlone = { environment: sql`'live'`, currency: sql`''`, fields: {}, schema: z.object({}) } as const;

/** A table of which selections are sorted and summed. */
interface Listed<Filter, Columns extends SelectedFields, Of extends Readonly<Record<string, number>>> extends Summed<Of> {
  readonly table: SQLiteTable;
  readonly id: SQLiteColumn;
  readonly createdAt: SQLiteColumn;
  /** SQL condition: the row is of the selection, by the index that finds the fewest rows; its period and `filter` aside. */
  readonly isOwn: (selection: Whose<Filter>) => SQL | undefined;
  /** SQL condition: what no index finds; undefined if nothing else is searched for. */
  readonly isFiltered: (filter: Filter) => SQL | undefined;
  /** The values by which it is sorted; a function where what has none stands at the end in both directions. */
  readonly sorts: Readonly<Record<string, SQL<number> | ((isDescending: boolean) => SQL<number>)>>;
  /** The columns of a row. */
  readonly columns: Columns;
}

/** The key of a row in a sorted list: its value, and its id. */
type SortKey = readonly [value: number, id: string];

/** Which page of a sorted list. */
interface SortedPage {
  /** One of the list's `sorts`. */
  readonly sort: string;
  readonly after: SortKey | undefined;
  readonly limit: number;
}

/** What the rows of one currency in an environment come to. */
interface Sums<Of> {
  readonly environment: Environment;
  readonly currency: string;
  readonly count: number;
  readonly sums: Of;
}

/** A list whose selections are sorted, counted and summed as a whole. */
export interface SelectionList<Filter, Row, Of> {
  /** The names of its orders: a minus is the largest first. */
  readonly sorts: readonly string[];
  /**
   * A page of the rows of a partner, or of several, newest first, by index. A page of a filtered list may be short: one looks at a limited
   * number of rows. `newestOf` (newest-page.ts) says the round trips.
   */
  readonly newest: (
    data: ListData,
    list: Omit<OwnList, "environment"> & Pick<Whose<Filter>, "environment">,
    filter: Filter,
  ) => Promise<NewestPage<Row & Dated>>;
  /** A page of one partner's rows in an order. It sorts the whole selection. One D1 round trip to each of the partner's cells. */
  readonly page: (
    data: ListData,
    selection: Selection<Filter>,
    page: SortedPage,
  ) => Promise<{ readonly rows: readonly Row[]; readonly next: SortKey | null }>;
  /**
   * The sums of a selection in each cell, by currency and environment, of {@link MOST_COUNTED} rows and one more at most. One D1 round trip to each cell,
   * and two more for a partner in several.
   */
  readonly sums: (data: SummedData, selection: Selection<Filter>) => Promise<Sums<Of>[]>;
  /** How many rows a selection has; null if there are more than {@link MOST_COUNTED}. Reads as `sums` does. */
  readonly count: (data: SummedData, selection: Selection<Filter>) => Promise<number | null>;
  /** The sums of all cells together, by currency and environment; null if there are more than {@link MOST_COUNTED} rows. */
  readonly joined: (parts: readonly Sums<Of>[]) => readonly Sums<Of>[] | null;
}

/** A row of a list. */
export type RowOf<List extends { readonly page: (...given: never[]) => Promise<{ readonly rows: readonly unknown[] }> }> = Awaited<
  ReturnType<List["page"]>
>["rows"][number];

/** The rows of some columns, with the value by which they are sorted. */
type RowWith<Columns extends SelectedFields> = SelectResultFields<Columns> & { readonly id: string; readonly value: number };

/** The columns of a row and the value. Drizzle does not infer the row of a generic table. */
const select = <Columns extends SelectedFields>(
  db: Cell,
  { table, columns }: { readonly table: SQLiteTable; readonly columns: Columns },
  value: SQL<number>,
) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  db
    .select({ ...columns, value })
    .from(table)
    .$dynamic() as unknown as OpenQuery<RowWith<Columns>>;

export function defineSelections<Filter, Columns extends SelectedFields, Of extends Readonly<Record<string, number>>>(
  of: Listed<Filter, Columns, Of>,
): SelectionList<Filter, RowWith<Columns>, Of> {
  return {
    sorts: Object.keys(of.sorts).flatMap((name) => [name, `-${name}`]),
    newest: (data, { environment, ...list }, filter) =>
      newestOf(
        data,
        list,
        { isOwn: of.isOwn({ partnerId: list.partnerId, environment, filter }), createdAt: of.createdAt, id: of.id },
        (db) => select(db, of, sql`${of.createdAt}`),
        of.isFiltered(filter),
      ),
    page: (data, selection, page) => sortedPage(of, data, selection, page),
    sums: (data, selection) => sumSelection(of, data, selection),
    count: async (data, selection) => countIn(joinedSums(await sumSelection(of, data, selection), of.schema)),
    joined: (parts) => joinedSums(parts, of.schema),
  };
}

/** How many rows some sums are of. */
export const countIn = (sums: readonly { readonly count: number }[] | null): number | null =>
  sums === null ? null : sums.reduce((total, { count }) => total + count, 0);

async function sortedPage<Filter, Columns extends SelectedFields, Of extends Readonly<Record<string, number>>>(
  { id, createdAt, isOwn, isFiltered, sorts, ...of }: Listed<Filter, Columns, Of>,
  data: ListData,
  selection: Selection<Filter>,
  { sort, after, limit }: SortedPage,
) {
  const isDescending = sort.startsWith("-");
  const by = sorts[isDescending ? sort.slice(1) : sort];
  const value = typeof by === "function" ? by(isDescending) : by;
  if (value === undefined) throw new Error(`no list is sorted by ${sort}`);
  const [order, isBehind] = isDescending ? [desc, lt] : [asc, gt];
  const behind = after === undefined ? undefined : or(isBehind(value, after[0]), and(sql`${value} = ${after[0]}`, isBehind(id, after[1])));
  const pages = await data.each(({ db }) =>
    select(db, of, value)
      .where(and(isOwn(selection), isWithin(createdAt, selection.period), isFiltered(selection.filter), behind))
      .orderBy(order(value), order(id))
      .limit(limit + 1)
      .all(),
  );
  const sign = isDescending ? -1 : 1;
  // A row that is being copied is in two cells: as the current one has it, which is the first.
  const found = new Map(pages.toReversed().flatMap((page) => page.map((row) => [row.id, row] as const)));
  const sorted = [...found.values()].toSorted((one, other) => sign * (one.value - other.value || (one.id < other.id ? -1 : 1)));
  const [rows, last] = [sorted.slice(0, limit), sorted[limit - 1]];
  const next: SortKey | null = sorted.length > limit && last !== undefined ? [last.value, last.id] : null;
  return { rows, next };
}

/** An amount by the number that is shown: amounts of different currencies are sorted by it, too. */
export const amountAsShown = (amount: SQLiteColumn | SQL, currency: SQLiteColumn) =>
  sql<number>`${amount} / (CASE ${sql.join(
    decimalCurrencies.flatMap(({ decimals, currencies }) =>
      currencies.map((code) => sql.raw(`WHEN ${currency.name} = '${code}' THEN ${10 ** decimals}.0`)),
    ),
    sql` `,
  )} ELSE 100.0 END)`;

/** SQL condition: an amount is shown as this number, in major units. */
export const isShownAs = (amount: SQLiteColumn | SQL, currency: SQLiteColumn, shown: number): SQL =>
  sql`${amountAsShown(amount, currency)} = ${shown}`;

const countSchema = z.looseObject({ environment: environmentSchema, currency: z.string(), count: z.int() });

async function sumSelection<Filter, Of extends Readonly<Record<string, number>>>(
  { table, id, createdAt, environment, currency, fields, schema, ...of }: Omit<Listed<Filter, SelectedFields, Of>, "columns">,
  data: SummedData,
  selection: Selection<Filter>,
): Promise<Sums<Of>[]> {
  const { period } = selection;
  const isOwn = and(of.isOwn(selection), isWithin(createdAt, period));
  const isFiltered = of.isFiltered(selection.filter);
  const named = Object.entries<SQLiteColumn | SQL>(fields).map(([name, column]) => ({ name: sql.identifier(name), column }));
  const columns = named.map(({ name, column }) => sql`, ${column} AS ${name}`);
  const totals = named.map(({ name }) => sql`, SUM(${name}) AS ${name}`);
  const found = await data.sums(
    async ({ db }, until) => {
      const isCopied = and(of.isOwn(selection), isWithin(createdAt, { ...period, to: Math.min(period.to, until) }), isFiltered);
      const rows = await db.all(sql`SELECT ${id} AS id FROM ${table} WHERE ${isCopied} ORDER BY 1 LIMIT ${MOST_LOOKED_AT}`);
      return z
        .array(z.object({ id: z.string() }))
        .parse(rows)
        .map((row) => row.id);
    },
    ({ db }, without) => {
      const isCounted = and(isOwn, isNotAmong(sql`${id}`, without));
      // The rows that are looked at have the name of their table, so that conditions mean their columns.
      const lookedAt =
        isFiltered === undefined
          ? sql`${table} WHERE ${isCounted}`
          : sql`(SELECT * FROM ${table} WHERE ${isCounted} LIMIT ${MOST_LOOKED_AT}) AS ${table} WHERE ${isFiltered}`;
      const counted = sql`SELECT environment, currency, COUNT(*) AS count${sql.join(totals)}
        FROM (SELECT ${environment} AS environment, ${currency} AS currency${sql.join(columns)} FROM ${lookedAt} LIMIT ${MOST_COUNTED + 1}) AS counted GROUP BY 1, 2`;
      if (isFiltered === undefined) return db.all(counted);
      // Behind so many rows there may be more that fit: then the whole is not known.
      return db.all(sql`${counted} UNION ALL SELECT 'live', '', ${MOST_COUNTED + 1}${sql.join(named.map(() => sql`, 0`))}
        WHERE (SELECT COUNT(*) FROM (SELECT 1 FROM ${table} WHERE ${isCounted} LIMIT ${MOST_LOOKED_AT})) = ${MOST_LOOKED_AT}`);
    },
  );
  return found.flat().map((row) => {
    const { environment: own, currency: known, count } = countSchema.parse(row);
    return { environment: own, currency: known, count, sums: schema.parse(row) };
  });
}

function joinedSums<Of extends Readonly<Record<string, number>>>(
  parts: readonly Sums<Of>[],
  schema: z.ZodType<Of>,
): readonly Sums<Of>[] | null {
  const counted = (rows: readonly Sums<Of>[]) => rows.reduce((total, { count }) => total + count, 0);
  if (counted(parts) > MOST_COUNTED) return null;
  return groupsBy(parts, ({ currency, environment }) => `${currency} ${environment}`).flatMap(([, rows]) => {
    const all = rows.map(({ sums }): Readonly<Record<string, number>> => sums);
    const sums = schema.parse(addedUp(Object.keys(all[0] ?? {}), all));
    return rows.slice(0, 1).map(({ environment, currency }) => ({ environment, currency, count: counted(rows), sums }));
  });
}
