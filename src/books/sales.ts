import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { DAY, type Period } from "../core/clock.ts";
import { type Environment, environmentSchema } from "../core/environment.ts";
import { rejectInput } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { addedUp, groupsBy } from "../core/sums.ts";
import { daysAfter, offsetsIn, startOfDay } from "../core/time-zone.ts";
import type { Cell } from "../db/client.ts";
import type { EntrySelection } from "../db/entries.ts";
import type { SummedData } from "../db/newest-page.ts";
import { linesOfOrder, type OrderParts, wholeOrder } from "../orders/entries.ts";
import { entriesBefore, entriesOf, isNoneOf } from "./entries.ts";

/** What a report can be divided by; two at most. */
export const dimensions = ["day", "week", "month", "product", "link", "currency", "method", "promotion_code", "environment"] as const;
export type Dimension = (typeof dimensions)[number];

/** What some entries of an environment come to, in minor units of one currency. Refunds and disputes are negative, fees positive, as in movements. */
const figuresSchema = z.object({
  environment: environmentSchema,
  currency: z.string(),
  orders: z.int(),
  units: z.int(),
  gross: z.int(),
  /** Of `gross`: payments that may still fail. */
  pending: z.int(),
  discounts: z.int(),
  refunds: z.int(),
  disputes: z.int(),
  fees: z.int(),
});
export type SalesFigures = z.infer<typeof figuresSchema>;
const FIGURES = figuresSchema.omit({ environment: true, currency: true }).keyof().options;

const keySchema = z.string().nullable();
const rowSchema = figuresSchema.extend({ first: keySchema, second: keySchema, name: keySchema });
export type SalesRow = z.infer<typeof rowSchema>;
/** `whole`: the orders, each counted at its first line alone. */
const groupSchema = rowSchema.extend({ isBefore: z.int(), whole: z.int() });

/** The asked period: calendar days of the zone, both inclusive. */
export interface SalesPeriod {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

interface SalesQuery extends SalesPeriod {
  readonly partnerId: EntrySelection["partnerId"];
  readonly environments: readonly Environment[];
  readonly by: readonly Dimension[];
}

/** Calendar units in months, each with the months that it begins with. */
const UNITS: readonly (readonly [months: number, first: RegExp])[] = [
  [1, /-01$/],
  [3, /-(?:01|04|07|10)-01$/],
  [12, /-01-01$/],
];

/**
 * The period before another one. Of the beginning of a month, a quarter or a year, longer than a week: the same days of the one before,
 * to the end of the month where it ends with one. Of other months: as many. Of other days: as many.
 */
export function periodBefore({ from, to, timeZone }: SalesPeriod): SalesPeriod {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;
  if (!from.endsWith("-01") || days <= 7) return { from: daysAfter(from, -days), to: daysAfter(from, -1), timeZone };
  const spanned = monthsBetween(from, to) + 1;
  const months = UNITS.find(([unit, first]) => unit >= spanned && first.test(from))?.[0] ?? spanned;
  const lastMonth = monthsBefore(to, months);
  const sameDay = `${lastMonth.slice(0, 7)}${to.slice(7)}`;
  const endOfMonth = daysAfter(monthsBefore(to, months - 1), -1);
  const isToTheEnd = daysAfter(to, 1).endsWith("-01");
  return { from: monthsBefore(from, months), to: isToTheEnd || sameDay > endOfMonth ? endOfMonth : sameDay, timeZone };
}

/** The months from the month of a day to that of another. */
const monthsBetween = (from: string, to: string): number =>
  12 * (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) + Number(to.slice(5, 7)) - Number(from.slice(5, 7));

/** The first day of the month some months earlier. */
const monthsBefore = (day: string, months: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 - months, 1)).toISOString().slice(0, 10);

/** The parts of a report that some cells make. */
export interface SalesParts {
  readonly rows: readonly SalesRow[];
  readonly totals: readonly SalesFigures[];
  readonly before: readonly SalesFigures[];
}

/**
 * Reads a report from movements and orders, in some cells, as they are now: there are no counts that could be behind. A refund counts
 * on its own day. By product, each amount is shared among the lines of its order, and an order counts for each of its products. One D1
 * round trip to each cell, and two more for a partner in several.
 * @throws ServiceFailure `invalid_input` for more rows than a report has
 */
export async function readSales(data: SummedData, query: SalesQuery): Promise<SalesParts> {
  const selection = { partnerId: query.partnerId, environments: query.environments, period: wholePeriod(query) };
  const parts = await data.sums(
    ({ db }, until) => entriesBefore(db, selection, until),
    ({ db }, without) => readCell(db, query, without),
  );
  const [before, rows] = [1, 0].map((wanted) => parts.flat().filter(({ isBefore }) => isBefore === wanted));
  return { rows: rows ?? [], totals: totalsOf(rows ?? []), before: totalsOf(before ?? []) };
}

/** The asked period and the one before. */
function wholePeriod(period: SalesPeriod): Period {
  return { from: startOfDay(periodBefore(period).from, period.timeZone), to: startOfDay(daysAfter(period.to, 1), period.timeZone) };
}

async function readCell(db: Cell, { partnerId, environments, by, ...period }: SalesQuery, without: readonly string[]) {
  const { timeZone } = period;
  const { from: begin, to } = wholePeriod(period);
  const from = startOfDay(period.from, timeZone);
  // The period before may end some days before this one begins: a month up to a day.
  const endOfBefore = startOfDay(daysAfter(periodBefore(period).to, 1), timeZone);
  const selected = { partnerId, environments };
  const isByProduct = by.includes("product");
  const parts = isByProduct ? linesOfOrder : wholeOrder;
  const [first = sql`NULL`, second = sql`NULL`] = by.map(
    (one) => sql`CASE WHEN e.at >= ${from} THEN ${keyOf(one, timeZone, { from, to })} END`,
  );
  // The name of the latest sale: a time of fifteen digits stands before it.
  const latest = sql`MAX(printf('%015d', e.at) || COALESCE(line.value ->> 1, ''))`;
  const name = isByProduct ? sql`NULLIF(substr(${latest}, 16), '')` : sql`NULL`;
  const groups =
    await db.all(sql`SELECT e.at < ${from} AS isBefore, ${first} AS first, ${second} AS second, ${name} AS name, ${figuresOf(parts)}
    FROM (${entriesOf({ ...selected, period: { from: begin, to } })}) AS e ${parts.join} WHERE ${isNoneOf(without)} AND (e.at < ${endOfBefore} OR e.at >= ${from}) GROUP BY 1, 2, 3, e.currency, e.environment LIMIT ${limits.reports.rows + 1}`);
  if (groups.length > limits.reports.rows)
    rejectInput(
      `by: there are more than ${limits.reports.rows.toLocaleString("en")} rows. Ask for fewer days, divide by less${environments.length > 1 ? ", or name an environment" : ""}`,
      "by",
    );
  return z.array(groupSchema).parse(groups);
}

/** What some groups come to, by currency. An order of several products is one order. */
function totalsOf(groups: readonly z.infer<typeof groupSchema>[]): SalesFigures[] {
  const counted = groups.map(({ whole, ...group }) => ({ ...group, orders: whole }));
  return grouped(counted, byCurrency).map((total) => figuresSchema.parse(total));
}

const sumIf = (condition: SQL, value: SQL) => sql`COALESCE(SUM(CASE WHEN ${condition} THEN ${value} END), 0)`;

/** The sums of a group, as the columns of {@link SalesFigures}. */
function figuresOf({ isFirst, share, units, discount }: OrderParts): SQL {
  const [isSale, amount] = [sql`e.is_sale`, share(sql`e.amount`)];
  return sql`e.environment AS environment, e.currency AS currency, COALESCE(SUM(e.is_sale), 0) AS orders, ${sumIf(isSale, isFirst)} AS whole, ${sumIf(isSale, units)} AS units,
    ${sumIf(sql`e.kind = 'payment'`, amount)} AS gross, ${sumIf(sql`e.is_pending`, amount)} AS pending, ${sumIf(isSale, discount)} AS discounts,
    ${sumIf(sql`e.kind = 'refund'`, amount)} AS refunds, ${sumIf(sql`e.kind = 'dispute'`, amount)} AS disputes,
    COALESCE(SUM(${share(sql`e.fee`)}), 0) AS fees`;
}

/** The key of an entry in a dimension. Days, weeks (by their Monday) and months are those of the zone. */
function keyOf(dimension: Dimension, zone: string, period: { readonly from: number; readonly to: number }): SQL {
  switch (dimension) {
    case "day":
      return sql`date(${localSeconds(zone, period)}, 'unixepoch')`;
    case "week":
      return sql`date(${localSeconds(zone, period)}, 'unixepoch', '-6 days', 'weekday 1')`;
    case "month":
      return sql`strftime('%Y-%m', ${localSeconds(zone, period)}, 'unixepoch')`;
    case "product":
      return sql`line.value ->> 0`;
    case "link":
      return sql`COALESCE(e.link, o.payment_link_id)`;
    case "currency":
      return sql`e.currency`;
    case "method":
      return sql`o.method`;
    case "promotion_code":
      return sql`o.promotion_code`;
    case "environment":
      return sql`e.environment`;
  }
}

/** The local time of an entry in seconds, as if it were UTC: SQLite knows no zones, so each offset of the period is written down. */
function localSeconds(zone: string, { from, to }: { readonly from: number; readonly to: number }): SQL {
  const offsets = offsetsIn(zone, from, to);
  const [only] = offsets;
  const offset =
    only !== undefined && offsets.length === 1
      ? sql`${only.offset}`
      : sql`CASE ${sql.join(
          offsets.toReversed().map((one) => sql`WHEN e.at >= ${one.from} THEN ${one.offset}`),
          sql` `,
        )} END`;
  return sql`(e.at + ${offset}) / 1000`;
}

/** What is left: all amounts without the fees. */
export const netOf = ({ gross, refunds, disputes, fees }: SalesFigures): number => gross + refunds + disputes - fees;

/** Groups of rows as one row each, in order of their keys. */
function grouped<Of extends SalesFigures>(all: readonly Of[], keyOfRow: (one: Of) => string): Of[] {
  return groupsBy(all, keyOfRow).flatMap(([, of]) => (of[0] === undefined ? [] : [{ ...of[0], ...addedUp(FIGURES, of) }]));
}

/** Test money is never added to live money. */
const byCurrency = ({ currency, environment }: SalesFigures): string => `${currency} ${environment}`;

/** Joins the rows of several cells by their keys, in order of the keys, and the totals by currency. */
export function joinSales(parts: readonly SalesParts[]): SalesParts {
  const rows = parts.flatMap((part) => part.rows);
  return {
    rows: grouped(rows, ({ first, second, currency, environment }) => JSON.stringify([first, second, currency, environment])),
    totals: grouped(
      parts.flatMap(({ totals }) => totals),
      byCurrency,
    ),
    before: grouped(
      parts.flatMap(({ before }) => before),
      byCurrency,
    ),
  };
}
