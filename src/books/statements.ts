import { and, asc, desc, eq, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { type Clock, MINUTE } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { byKey } from "../core/sums.ts";
import { monthIn, monthsAfter, startOfDay, startOfMonth } from "../core/time-zone.ts";
import { type Cell, violatedColumn } from "../db/client.ts";
import { statements } from "../db/schema/books.ts";
import { type BooksOf, firstEntries, type Standing, type StandingSums, standsIn, sumStanding } from "./booked.ts";
import { type PayoutEntry, payoutEntries } from "./payouts.ts";

export type StatementRow = typeof statements.$inferSelect;

/** A month that is not closed, as its entries are now. */
export type OpenStatement = Omit<StatementRow, "id" | "number" | "closedAt" | "closedBy" | "bookedUntil">;

/** What is stored within this time of its booking is left to the next statement: clocks differ, and a write may be under way. */
const STILL_BOOKING = 10 * MINUTE;

/** The day of the next month from which the cron closes a month. */
const CLOSES_ON = "05";

/** The books of a partner, with its current cell, which has all statements and payouts. */
export interface StatementsOf extends BooksOf {
  readonly db: Cell;
  readonly timeZone: string;
}

/** The closed statements of a partner, oldest first. They are few. One D1 round trip. */
export async function closedStatements(db: Cell, partnerId: string): Promise<StatementRow[]> {
  return db.select().from(statements).where(eq(statements.partnerId, partnerId)).orderBy(asc(statements.number)).all();
}

/** A closed statement; undefined if this cell does not have it. One D1 round trip. */
export async function findStatement(db: Cell, id: string): Promise<StatementRow | undefined> {
  return db.select().from(statements).where(eq(statements.id, id)).get();
}

/** The statement of the same currency before one; null for the first one. One D1 round trip. */
export async function statementBefore(db: Cell, { partnerId, currency, until }: Pick<StatementRow, "partnerId" | "currency" | "until">) {
  const isBefore = and(eq(statements.partnerId, partnerId), eq(statements.currency, currency), sql`${statements.until} < ${until}`);
  return (await db.select().from(statements).where(isBefore).orderBy(desc(statements.until)).limit(1).get()) ?? null;
}

/**
 * The open statements of a partner, oldest first, by currency: of each month since the last closed one up to this one. What became
 * known late for a closed month stands in the first of them.
 */
export async function openStatements(of: StatementsOf, closed: readonly StatementRow[], now: number): Promise<OpenStatement[]> {
  const paidOut = await payoutEntries(of.db, of.partnerId);
  const open: OpenStatement[] = [];
  for (const [currency, first] of await monthsToClose(of, closed, paidOut)) {
    let last = closed.findLast((one) => one.currency === currency) ?? null;
    let before: Standing["before"] = last;
    for (let month = first; month <= monthIn(now, of.timeZone); month = monthsAfter(month, 1)) {
      const until = startOfMonth(monthsAfter(month, 1), of.timeZone);
      const made = await makeStatement(of, {
        month,
        standing: { currency, until, bookedUntil: undefined, before },
        opening: last?.closing ?? 0,
        paidOut,
      });
      open.push(made);
      last = { ...made, id: "", number: 0, closedAt: 0, closedBy: null, bookedUntil: 0 };
      before = { until, bookedUntil: Number.MAX_SAFE_INTEGER };
    }
  }
  return open;
}

/** The first month of each currency that is not closed. */
async function monthsToClose(
  of: StatementsOf,
  closed: readonly StatementRow[],
  paidOut: readonly PayoutEntry[],
): Promise<Map<string, string>> {
  const first = new Map(await firstEntries(of));
  for (const { payout, at } of paidOut) first.set(payout.currency, Math.min(at, first.get(payout.currency) ?? at));
  const months = [...first].toSorted(byKey).map(([currency, at]): [string, string] => {
    const last = closed.findLast((one) => one.currency === currency);
    return [currency, last === undefined ? monthIn(at, of.timeZone) : monthsAfter(last.month, 1)];
  });
  return new Map(months);
}

interface Making {
  readonly month: string;
  readonly standing: Standing;
  readonly opening: number;
  readonly paidOut: readonly PayoutEntry[];
}

/** The one rule of a statement's sums: what it opens with, and all that stands in it. */
async function makeStatement(of: StatementsOf, { month, standing, opening, paidOut }: Making): Promise<OpenStatement> {
  const { currency, until } = standing;
  const sums = await sumStanding(of, standing);
  const own = paidOut.filter((entry) => entry.payout.currency === currency && standsIn(entry, standing));
  const payouts = own.reduce((total, { amount }) => total + amount, 0);
  const common = { partnerId: of.partnerId, month, currency, timeZone: of.timeZone, until, opening };
  return { ...common, ...sums, payouts, lines: sums.lines + own.length, closing: closingOf(opening, sums, payouts) };
}

const closingOf = (opening: number, { payments, refunds, disputes, fees, terms }: StandingSums, payouts: number): number =>
  opening + payments + refunds + disputes - fees + terms + payouts;

interface CloseDeps {
  readonly clock: Clock;
}

/**
 * Closes the months of a partner that are over, oldest first and without a gap, of all currencies: those that the cron may close by
 * now, or up to the month that an operator names. A closed statement is never changed. Repeating it changes nothing. Returns the number
 * of closed statements.
 */
export async function closeStatements(
  { clock }: CloseDeps,
  of: StatementsOf,
  how: { readonly actor: Actor; readonly upTo: string } | null,
): Promise<number> {
  const now = clock.now();
  const closed = await closedStatements(of.db, of.partnerId);
  const paidOut = await payoutEntries(of.db, of.partnerId);
  let count = 0;
  for (const [currency, first] of await monthsToClose(of, closed, paidOut)) {
    let before = closed.findLast((one) => one.currency === currency) ?? null;
    for (let month = first; isDue(month, of.timeZone, how?.upTo, now); month = monthsAfter(month, 1)) {
      const until = startOfMonth(monthsAfter(month, 1), of.timeZone);
      const bookedUntil = now - STILL_BOOKING;
      const made = await makeStatement(of, {
        month,
        standing: { currency, until, bookedUntil, before },
        opening: before?.closing ?? 0,
        paidOut,
      });
      const row = { ...made, id: newId("st"), bookedUntil, closedAt: now, closedBy: how?.actor.name ?? null };
      const stored = await storeStatement(of.db, row, before?.id ?? null, how?.actor ?? CRON);
      // Another one closed it at the same time: the next call goes on from there.
      if (stored === null) break;
      before = stored;
      count += 1;
    }
  }
  return count;
}

const CRON: Actor = { name: "cron", requestId: "" };

/** Whether an operator may close the month before `next`: it is over, and what is being booked of it is stored. */
export const mayClose = (next: string, zone: string, now: number): boolean => startOfMonth(next, zone) + STILL_BOOKING <= now;

/** Whether a month may be closed: it is over, and the fifth day after it has begun, or an operator wants it. */
function isDue(month: string, zone: string, upTo: string | undefined, now: number): boolean {
  const next = monthsAfter(month, 1);
  if (upTo !== undefined) return month <= upTo && mayClose(next, zone, now);
  return startOfDay(`${next}-${CLOSES_ON}`, zone) <= now;
}

/** Stores a statement with the next number, if the one before is still the last. Null if another one was stored in between. */
async function storeStatement(
  db: Cell,
  row: Omit<StatementRow, "number">,
  before: string | null,
  actor: Actor,
): Promise<StatementRow | null> {
  const { partnerId, currency, id, month } = row;
  const last = sql`(SELECT id FROM statements WHERE partner_id = ${partnerId} AND currency = ${currency} ORDER BY until DESC LIMIT 1)`;
  const isNext = sql`${last} IS ${before}`;
  const number = sql`(SELECT COALESCE(MAX(number), 0) + 1 FROM statements WHERE partner_id = ${partnerId})`;
  const values = sql`SELECT ${id}, ${partnerId}, ${number}, ${month}, ${currency}, ${row.timeZone}, ${row.until}, ${row.bookedUntil}, ${row.opening},
    ${row.payments}, ${row.refunds}, ${row.disputes}, ${row.fees}, ${row.terms}, ${row.payouts}, ${row.closing}, ${row.lines}, ${row.closedAt},
    ${row.closedBy} WHERE ${isNext}`;
  const entry = { actor, action: "statement.close" as const, target: id, partnerId, after: { month, currency } };
  try {
    const [, [stored]] = await db.batch([auditRow(db, entry, row.closedAt, isNext), db.insert(statements).select(values).returning()]);
    return stored ?? null;
  } catch (thrown) {
    if (violatedColumn(thrown)?.startsWith("statements.") === true) return null;
    throw thrown;
  }
}
