import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { SettlementDays } from "../bank-payments/entries.ts";
import { MINUTE, type Period } from "../core/clock.ts";
import { type Environment, environments } from "../core/environment.ts";
import { addedUp } from "../core/sums.ts";
import type { Cell } from "../db/client.ts";
import type { EntrySelection } from "../db/entries.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { entriesBefore, entriesOf, isNoneOf } from "./entries.ts";
import { type Terms, termOfEntry } from "./terms.ts";

/** What the books of a partner are read from: its cells, its terms, and when its ruble terminals are credited. */
export interface BooksOf {
  readonly partnerId: string;
  readonly data: PartnerData<{ readonly db: Cell }>;
  readonly terms: readonly Terms[];
}

const ALL_TIME = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Times of availability are counted in quarters of an hour: every time zone's days begin with one. */
const QUARTER = 15 * MINUTE;

const balanceSchema = z.object({ environment: z.enum(environments), currency: z.string(), availableAt: z.int(), booked: z.int() });

/**
 * What the entries of an environment and currency sum to that become available at a time, after fees and terms; `availableAt`: 0 for those
 * that are available by now, otherwise Unix milliseconds, to the quarter of an hour.
 */
export type BookedBalance = z.infer<typeof balanceSchema>;

/** The sums of a partner's entries of all time, payouts aside. One D1 round trip to each cell, and two more for several. */
export async function readBooked({ partnerId, data, terms }: BooksOf, days: SettlementDays, now: number): Promise<BookedBalance[]> {
  const left = sql`e.amount - e.fee + ${termOfEntry(terms)}`;
  const selection = { partnerId, environments, period: ALL_TIME };
  const cells = await data.sums(
    ({ db }, until) => entriesBefore(db, selection, until),
    ({ db }, without) =>
      db.all(sql`SELECT e.environment AS environment, e.currency AS currency,
        CASE WHEN e.available_at <= ${now} THEN 0 ELSE e.available_at - e.available_at % ${QUARTER} END AS availableAt, SUM(${left}) AS booked
        FROM (${entriesOf(selection, days)}) AS e WHERE (e.amount <> 0 OR e.fee <> 0) AND ${isNoneOf(without)} GROUP BY 1, 2, 3`),
  );
  return z.array(balanceSchema).parse(cells.flat());
}

/** The statement that an entry stands in: booked by a time, of before a time, and not in an earlier statement. */
export interface Standing {
  readonly currency: string;
  /** The end of the month. */
  readonly until: number;
  /** Later entries stand in a later statement; undefined for an open one. */
  readonly bookedUntil: number | undefined;
  /** The statement before; null for the first one. */
  readonly before: { readonly until: number; readonly bookedUntil: number } | null;
}

/** The standing of a closed statement. */
export const standingOf = (
  { currency, until, bookedUntil }: { readonly currency: string; readonly until: number; readonly bookedUntil: number },
  before: Standing["before"],
): Standing => ({ currency, until, bookedUntil, before });

/** Whether an entry stands in a statement: the one rule, for movements in SQL and for payouts in memory. */
export function standsIn(
  { at, bookedAt }: { readonly at: number; readonly bookedAt: number },
  { until, bookedUntil, before }: Standing,
): boolean {
  const isBy = (end: number, booked: number) => at < end && bookedAt <= booked;
  return isBy(until, bookedUntil ?? Number.MAX_SAFE_INTEGER) && !(before !== null && isBy(before.until, before.bookedUntil));
}

const isEntryBy = (end: number, booked: number) => sql`(e.at < ${end} AND e.booked_at <= ${booked})`;

/** {@link standsIn}, of an entry `e`. */
function isStanding({ currency, until, bookedUntil, before }: Standing): SQL {
  const isEarlier = before === null ? sql`FALSE` : isEntryBy(before.until, before.bookedUntil);
  return sql`e.currency = ${currency} AND ${isEntryBy(until, bookedUntil ?? Number.MAX_SAFE_INTEGER)} AND NOT ${isEarlier} AND (e.amount <> 0 OR e.fee <> 0)`;
}

const sumsSchema = z.object({ payments: z.int(), refunds: z.int(), disputes: z.int(), fees: z.int(), terms: z.int(), lines: z.int() });

/** What the entries of a statement sum to, in minor units: amounts signed, fees positive where they are a cost. */
export type StandingSums = z.infer<typeof sumsSchema>;

const live = (partnerId: string, period: Period): EntrySelection => ({ partnerId, environments: ["live"] satisfies Environment[], period });

/** The time of the entries that can stand in a statement: where nothing can be late, only those since the one before. */
const periodOf = ({ until, before }: Standing): Period => ({
  from: before?.bookedUntil === Number.MAX_SAFE_INTEGER ? before.until : 0,
  to: until,
});

const sumOf = (kind: StandingLine["kind"]) => sql`COALESCE(SUM(CASE WHEN e.kind = ${kind} THEN e.amount END), 0)`;

/** Sums the entries of live data that stand in a statement, payouts aside. One D1 round trip to each cell, and two more for several. */
export async function sumStanding({ partnerId, data, terms }: BooksOf, standing: Standing): Promise<StandingSums> {
  const selection = live(partnerId, periodOf(standing));
  const cells = await data.sums(
    ({ db }, until) => entriesBefore(db, selection, until),
    ({ db }, without) =>
      db.get(sql`SELECT ${sumOf("payment")} AS payments, ${sumOf("refund")} AS refunds, ${sumOf("dispute")} AS disputes,
        COALESCE(SUM(e.fee), 0) AS fees, COALESCE(SUM(${termOfEntry(terms)}), 0) AS terms, COUNT(*) AS lines
        FROM (${entriesOf(selection)}) AS e WHERE ${isStanding(standing)} AND ${isNoneOf(without)}`),
  );
  return addedUp(sumsSchema.keyof().options, z.array(sumsSchema).parse(cells));
}

const lineSchema = z.object({
  id: z.string(),
  orderId: z.string().nullable(),
  kind: z.enum(["payment", "refund", "dispute"]),
  amount: z.int(),
  fee: z.int(),
  term: z.int(),
  at: z.int(),
  bookedAt: z.int(),
});

/** An entry of a statement, in minor units. */
export type StandingLine = z.infer<typeof lineSchema>;

/**
 * The entries that stand in a statement, oldest first, at most `limit` after one of them. One D1 round trip to each cell.
 */
export async function linesStanding(
  { partnerId, data, terms }: BooksOf,
  standing: Standing,
  after: Pick<StandingLine, "at" | "id"> | null,
  limit: number,
): Promise<StandingLine[]> {
  const within = periodOf(standing);
  const period = { from: Math.max(within.from, after?.at ?? 0), to: within.to };
  const isBehind = after === null ? sql`TRUE` : sql`(e.at, e.entry_id) > (${after.at}, ${after.id})`;
  const cells = await data.each(({ db }) =>
    db.all(sql`SELECT e.entry_id AS id, e.order_id AS orderId, e.kind AS kind, e.amount AS amount, e.fee AS fee, ${termOfEntry(terms)} AS term,
      e.at AS at, e.booked_at AS bookedAt FROM (${entriesOf(live(partnerId, period))}) AS e WHERE ${isStanding(standing)} AND ${isBehind}
      ORDER BY e.at, e.entry_id LIMIT ${limit}`),
  );
  const lines = new Map(
    z
      .array(lineSchema)
      .parse(cells.toReversed().flat())
      .map((line) => [line.id, line]),
  );
  return [...lines.values()].toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1)).slice(0, limit);
}

/** The currencies of a partner's live entries, each with the time of its first one. One D1 round trip to each cell. */
export async function firstEntries({ partnerId, data }: BooksOf): Promise<ReadonlyMap<string, number>> {
  const firstSchema = z.array(z.object({ currency: z.string(), at: z.int() }));
  const cells = await data.each(({ db }) =>
    db.all(
      sql`SELECT e.currency AS currency, MIN(e.at) AS at FROM (${entriesOf(live(partnerId, ALL_TIME))}) AS e WHERE e.amount <> 0 OR e.fee <> 0 GROUP BY 1`,
    ),
  );
  const first = new Map<string, number>();
  for (const { currency, at } of firstSchema.parse(cells.flat())) first.set(currency, Math.min(at, first.get(currency) ?? at));
  return first;
}
