import { asc, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { sumTerminals } from "../bank-payments/entries.ts";
import type { CellCode } from "../core/cell-code.ts";
import type { Period } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { startOfMonth } from "../core/time-zone.ts";
import type { AllDatabases } from "../db/all-databases.ts";
import { type Cell, type Directory, inList } from "../db/client.ts";
import type { EntrySelection } from "../db/entries.ts";
import { payouts, statements } from "../db/schema/books.ts";
import { cardEntries } from "../ledger/movements/entries.ts";
import { sumUnowned } from "../ledger/movements/period.ts";
import { type PlatformTransaction, platformOfPeriod } from "../ledger/platform-transactions.ts";
import { allLocations, partnersByCell } from "../partners/location-store.ts";
import { entriesOf } from "./entries.ts";
import type { StatementRow } from "./statements.ts";

/**
 * A month of all partners together, and of what belongs to none. It reads our rows alone: `check.ts` compares them with the processor's and
 * the bank's. Every cell must answer: a sum without one would be wrong.
 */
interface MonthDeps extends Pick<AllDatabases, "databaseNames" | "inDatabase"> {
  readonly directory: Directory;
  readonly everyCell: () => readonly { readonly databaseName: CellCode; readonly db: Cell }[];
}

/** What moved at the processor in one currency, in minor units, signed: together the change of its balance. */
export interface ProcessorMonth {
  readonly currency: string;
  readonly payments: number;
  readonly refunds: number;
  readonly disputes: number;
  /** What the processor took of these, positive where it is a cost. */
  readonly fees: number;
  /** What movements without a known partner leave, after fees. */
  readonly withoutPartner: number;
  /** What the processor bills by itself: negative. */
  readonly platformFees: number;
  /** To our bank account: negative. */
  readonly paidOut: number;
  /** Reserves, transfers, corrections between the processor and us. */
  readonly otherPlatform: number;
  /** The sum of all of it. */
  readonly change: number;
  /** The number of transactions. */
  readonly count: number;
}

/** What moved rubles at a terminal of the bank, in kopecks. */
export interface TerminalMonth {
  readonly terminal: string;
  readonly payments: number;
  /** Negative. */
  readonly refunds: number;
  /** What the bank's documents say that it took: negative. */
  readonly fees: number;
  readonly change: number;
  readonly count: number;
}

const cardsSchema = z.array(
  z.object({ currency: z.string(), payments: z.int(), refunds: z.int(), disputes: z.int(), fees: z.int(), count: z.int() }),
);

type CardSums = z.infer<typeof cardsSchema>[number];

const sumOf = (kind: string): SQL => sql`COALESCE(SUM(e.amount) FILTER (WHERE e.kind = ${kind}), 0)`;

/** What cards of some partners moved, by currency. One D1 round trip. */
async function sumCards(db: Cell, selection: EntrySelection): Promise<CardSums[]> {
  const rows = await db.all(sql`SELECT e.currency AS currency, ${sumOf("payment")} AS payments, ${sumOf("refund")} AS refunds,
    ${sumOf("dispute")} AS disputes, SUM(e.fee) AS fees, COUNT(*) AS count FROM (${cardEntries(selection)}) AS e GROUP BY 1`);
  return cardsSchema.parse(rows);
}

/** Which column of a month a transaction of the platform stands in. */
export function platformPart({ source, type }: Pick<PlatformTransaction, "source" | "type">): "platformFees" | "paidOut" | "otherPlatform" {
  if (source === "bank" || /(?:^|_)fee(?:_|$)/.test(type)) return "platformFees";
  return type.startsWith("payout") ? "paidOut" : "otherPlatform";
}

type Parts = Omit<ProcessorMonth, "currency" | "change">;

const NOTHING: Parts = {
  payments: 0,
  refunds: 0,
  disputes: 0,
  fees: 0,
  withoutPartner: 0,
  platformFees: 0,
  paidOut: 0,
  otherPlatform: 0,
  count: 0,
};

const PARTS = ["payments", "refunds", "disputes", "fees", "withoutPartner", "platformFees", "paidOut", "otherPlatform", "count"] as const;

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => (one < other ? -1 : 1);

/** What moved at the processor and at the bank in a period. Two D1 round trips to each cell, one to each other database, one more. */
export async function sumMonth(deps: MonthDeps, environment: Environment, period: Period) {
  const idsIn = await partnersByCell(deps.directory);
  const ofCells = await Promise.all(
    deps.everyCell().map(async ({ databaseName, db }) => {
      // `now` is of lists alone: sums need no order.
      const selection = { partnerId: { ids: idsIn(databaseName), now: 0 }, environments: [environment], period };
      const [cards, terminals] = await Promise.all([sumCards(db, selection), sumTerminals(db, selection)]);
      return { cards, terminals };
    }),
  );
  const unowned = await Promise.all(deps.databaseNames.map((name) => sumUnowned(deps.inDatabase(name).db, environment, period)));
  const platform = await platformOfPeriod(deps.directory, environment, period);
  const processor = new Map<string, Parts>();
  const add = (currency: string, parts: Partial<Parts>) => {
    const sums: Record<keyof Parts, number> = { ...(processor.get(currency) ?? NOTHING) };
    for (const part of PARTS) sums[part] += parts[part] ?? 0;
    processor.set(currency, sums);
  };
  for (const { currency, ...sums } of ofCells.flatMap(({ cards }) => cards)) add(currency, sums);
  for (const { currency, amount, fee, count } of unowned.flat()) add(currency, { withoutPartner: amount - fee, count });
  for (const one of platform.filter(({ source }) => source === "processor"))
    add(one.currency, { [platformPart(one)]: one.amount - one.fee, count: 1 });
  return {
    processor: [...processor].toSorted(byKey).map(([currency, parts]): ProcessorMonth => ({ currency, ...parts, change: changeOf(parts) })),
    bank: terminalsOf(
      ofCells.flatMap(({ terminals }) => terminals),
      platform.filter(({ source }) => source === "bank"),
    ),
  };
}

const changeOf = (parts: Parts): number =>
  parts.payments +
  parts.refunds +
  parts.disputes -
  parts.fees +
  parts.withoutPartner +
  parts.platformFees +
  parts.paidOut +
  parts.otherPlatform;

function terminalsOf(moved: Awaited<ReturnType<typeof sumTerminals>>, fees: readonly PlatformTransaction[]): TerminalMonth[] {
  const names = new Set([...moved, ...fees].flatMap(({ terminal }) => terminal ?? []));
  return [...names].toSorted().map((terminal) => {
    const own = moved.filter((one) => one.terminal === terminal);
    const [payments, refunds] = [sum(own, (one) => one.payments), sum(own, (one) => one.refunds)];
    const taken = sum(
      fees.filter((one) => one.terminal === terminal),
      ({ amount }) => amount,
    );
    return { terminal, payments, refunds, fees: taken, change: payments + refunds + taken, count: sum(own, ({ count }) => count) };
  });
}

/** A partner's month in a currency that has no closed statement, although money moved in it by then. */
export interface NotClosed {
  readonly partnerId: string;
  readonly currency: string;
}

const firstSchema = z.array(z.object({ partnerId: z.string(), currency: z.string(), at: z.int() }));

const ALL_TIME: Period = { from: 0, to: Number.MAX_SAFE_INTEGER };

/**
 * The closed statements of a month of all partners, by partner and currency, and those that are missing. A month is one of the partner's
 * own time zone. Four D1 round trips to each cell, and one.
 */
export async function statementsOfMonth({ directory, everyCell }: MonthDeps, month: string, next: string) {
  const [idsIn, locations] = [await partnersByCell(directory), await allLocations(directory)];
  const found = await Promise.all(
    everyCell().map(async ({ databaseName, db }) => {
      const ids = idsIn(databaseName);
      const [closed, entries, paidOut] = await Promise.all([
        closedOf(db, ids, month),
        db.all(sql`SELECT e.partner_id AS partnerId, e.currency AS currency, MIN(e.at) AS at
          FROM (${entriesOf({ partnerId: { ids, now: 0 }, environments: ["live"], period: ALL_TIME })}) AS e
          WHERE e.amount <> 0 OR e.fee <> 0 GROUP BY 1, 2`),
        db.all(sql`SELECT ${payouts.partnerId} AS partnerId, ${payouts.currency} AS currency, MIN(${payouts.paidAt}) AS at
          FROM ${payouts} WHERE ${payouts.partnerId} IN ${inList(ids)} AND ${payouts.approvedAt} IS NOT NULL GROUP BY 1, 2`),
      ]);
      return { closed, first: firstSchema.parse([...entries, ...paidOut]) };
    }),
  );
  const keyOf = ({ partnerId, currency }: NotClosed) => `${partnerId} ${currency}`;
  const closed = new Map(found.flatMap((cell) => cell.closed).map((row) => [keyOf(row), row]));
  const begun = found
    .flatMap(({ first }) => first)
    .filter(({ partnerId, at }) => at < startOfMonth(next, locations.get(partnerId)?.timeZone ?? "UTC"));
  const open = new Map(
    begun
      .filter((one) => !closed.has(keyOf(one)))
      .map(({ partnerId, currency }) => [keyOf({ partnerId, currency }), { partnerId, currency }]),
  );
  return { closed: [...closed].toSorted(byKey).map(([, row]) => row), notClosed: [...open].toSorted(byKey).map(([, one]) => one) };
}

/** The closed statements of some partners of a month. One D1 round trip. */
async function closedOf(db: Cell, ids: readonly string[], month: string): Promise<StatementRow[]> {
  const isOwn = sql`${statements.partnerId} IN ${inList(ids)} AND ${eq(statements.month, month)}`;
  return db.select().from(statements).where(isOwn).orderBy(asc(statements.partnerId), asc(statements.currency)).all();
}
