import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { sumTerminals, type TerminalSums } from "../bank-payments/entries.ts";
import type { Clock, Period } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { addedUp, groupsBy } from "../core/sums.ts";
import type { AllDatabases } from "../db/all-databases.ts";
import type { Cell, Directory, NamedCell } from "../db/client.ts";
import type { EntrySelection } from "../db/entries.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { cardEntries } from "../ledger/movements/entries.ts";
import { sumUnowned } from "../ledger/movements/period.ts";
import { type PlatformTransaction, platformOfPeriod } from "../ledger/platform-transactions.ts";
import { allLocations, partnersByCell } from "../partners/location-store.ts";
import type { PartnerLocation } from "../partners/read-location.ts";
import { entriesBefore, isNoneOf } from "./entries.ts";

/**
 * A month of all partners together, and of what belongs to none. It reads our rows alone: `check.ts` compares them with the processor's and
 * the bank's. Every cell must answer: a sum without one would be wrong.
 */
interface MonthDeps extends Pick<AllDatabases, "databaseNames" | "inDatabase"> {
  readonly clock: Clock;
  readonly directory: Directory;
  readonly ofPartner: (location: PartnerLocation) => { readonly data: PartnerData<{ readonly db: Cell }> };
  readonly everyCell: () => readonly NamedCell[];
}

/** What moved at the processor in one currency, in minor units, signed: together the change of its balance. */
export interface ProcessorMonth {
  readonly currency: string;
  readonly payments: number;
  readonly refunds: number;
  readonly disputes: number;
  /** What the processor took of these: negative. */
  readonly fees: number;
  /** What movements without a known partner leave, after fees. */
  readonly withoutPartner: number;
  /** What the processor bills by itself, and what it took of payouts and the like: negative. */
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
async function sumCards(db: Cell, selection: EntrySelection, without: readonly string[]): Promise<CardSums[]> {
  const rows = await db.all(sql`SELECT e.currency AS currency, ${sumOf("payment")} AS payments, ${sumOf("refund")} AS refunds,
    ${sumOf("dispute")} AS disputes, -SUM(e.fee) AS fees, COUNT(*) AS count FROM (${cardEntries(selection)}) AS e WHERE ${isNoneOf(without)} GROUP BY 1`);
  return cardsSchema.parse(rows);
}

/** Which column of a month a transaction of the platform stands in. */
export function platformPart({ source, type }: Pick<PlatformTransaction, "source" | "type">): "platformFees" | "paidOut" | "otherPlatform" {
  if (source === "bank" || /(?:^|_)fee(?:_|$)/.test(type)) return "platformFees";
  return /^payout(?:_cancel|_failure)?$/.test(type) ? "paidOut" : "otherPlatform";
}

/** What a month's change is the sum of. */
const PARTS = ["payments", "refunds", "disputes", "fees", "withoutPartner", "platformFees", "paidOut", "otherPlatform"] as const;

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);

/** Movements without a partner are read this often, until none got one in the meantime. */
const MOST_TRIES = 5;

/**
 * What moved at the processor and at the bank in a period. Two D1 round trips to each cell, four more for each partner that was split by time,
 * two to each database, two more. @throws if movements go on getting partners while they are summed
 */
export async function sumMonth(deps: MonthDeps, environment: Environment, period: Period) {
  const platform = await platformOfPeriod(deps.directory, environment, period);
  const unownedNow = () =>
    Promise.all(deps.databaseNames.map((name) => sumUnowned(deps.inDatabase(name).db, environment, period))).then((all) => all.flat());
  let unowned = await unownedNow();
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const owned = await sumOwned(deps, environment, period);
    // One that got its partner is moved from the directory to a cell: it may count in both, or in none.
    const after = await unownedNow();
    if (JSON.stringify(after) === JSON.stringify(unowned)) return monthOf(owned, unowned, platform);
    unowned = after;
  }
  throw new Error("movements go on getting partners while they are summed");
}

interface OwnedSums {
  readonly cards: readonly CardSums[];
  readonly terminals: readonly TerminalSums[];
}

/** What belongs to some partners in a cell, without some entries. Two D1 round trips. */
async function sumCell(db: Cell, selection: EntrySelection, without: readonly string[]): Promise<OwnedSums> {
  const [cards, terminals] = await Promise.all([sumCards(db, selection, without), sumTerminals(db, selection, without)]);
  return { cards, terminals };
}

/** What belongs to partners. A partner that was split by time is summed as its statements are: a row that is being copied counts once. */
async function sumOwned(deps: MonthDeps, environment: Environment, period: Period): Promise<OwnedSums> {
  const locations = await allLocations(deps.directory);
  const isSplit = (id: string) => (locations.get(id)?.earlier.length ?? 0) > 0;
  const idsIn = await partnersByCell(deps.directory);
  // `now` is of lists alone: sums need no order.
  const of = (partnerId: EntrySelection["partnerId"]): EntrySelection => ({ partnerId, environments: [environment], period });
  const whole = deps.everyCell().map(({ databaseName, db }) => {
    const ids = idsIn(databaseName).filter((id) => !isSplit(id));
    return sumCell(db, of({ ids, now: 0 }), []);
  });
  const split = [...locations]
    .filter(([id]) => isSplit(id))
    .map(([id, location]) =>
      deps.ofPartner(location).data.sums(
        ({ db }, until) => entriesBefore(db, of(id), until),
        ({ db }, without) => sumCell(db, of(id), without),
      ),
    );
  const parts = [...(await Promise.all(whole)), ...(await Promise.all(split)).flat()];
  return { cards: parts.flatMap(({ cards }) => cards), terminals: parts.flatMap(({ terminals }) => terminals) };
}

function monthOf(
  { cards, terminals }: OwnedSums,
  unowned: Awaited<ReturnType<typeof sumUnowned>>,
  platform: readonly PlatformTransaction[],
) {
  const moved: ({ readonly currency: string } & { readonly [part in (typeof PARTS)[number] | "count"]?: number })[] = [
    ...cards,
    ...unowned.map(({ currency, amount, fee, count }) => ({ currency, withoutPartner: amount - fee, count })),
    ...platform
      .filter(({ source }) => source === "processor")
      .flatMap((one) => [
        { currency: one.currency, [platformPart(one)]: one.amount, count: 1 },
        { currency: one.currency, platformFees: -one.fee },
      ]),
  ];
  return {
    processor: groupsBy(moved, ({ currency }) => currency).map(([currency, rows]): ProcessorMonth => {
      const parts = addedUp(PARTS, rows);
      return { currency, ...parts, ...addedUp(["count"], rows), change: sum(PARTS, (part) => parts[part]) };
    }),
    bank: terminalsOf(
      terminals,
      platform.filter(({ source }) => source === "bank"),
    ),
  };
}

function terminalsOf(moved: readonly TerminalSums[], fees: readonly PlatformTransaction[]): TerminalMonth[] {
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
