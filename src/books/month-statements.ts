import { asc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { type Clock, DAY } from "../core/clock.ts";
import { byKey } from "../core/sums.ts";
import { monthIn, startOfMonth, UTC } from "../core/time-zone.ts";
import { type Cell, type Directory, inList, type NamedCell } from "../db/client.ts";
import { payouts, statements } from "../db/schema/books.ts";
import { allLocations, partnersByCell } from "../partners/location-store.ts";
import { entriesOf } from "./entries.ts";
import { mayClose, type StatementRow } from "./statements.ts";

interface StatementsDeps {
  readonly clock: Clock;
  readonly directory: Directory;
  readonly everyCell: () => readonly NamedCell[];
}

/** A partner's month in a currency that is over, and has no closed statement. */
export interface NotClosed {
  readonly partnerId: string;
  readonly currency: string;
}

const keyOf = ({ partnerId, currency }: NotClosed): string => `${partnerId} ${currency}`;

const pairSchema = z.array(z.object({ partnerId: z.string(), currency: z.string(), at: z.int(), last: z.int() }));

/** No time zone is further from UTC. */
const FURTHEST_ZONE = DAY;

/**
 * The closed statements of a month of all partners, by partner and currency, and, once the month is over, those that are missing: of a
 * currency with money in the month, or with a statement of an earlier one, since months are closed without a gap. A month is one of the
 * partner's own time zone. Four D1 round trips to each cell, and two.
 */
export async function statementsOfMonth({ clock, directory, everyCell }: StatementsDeps, month: string, next: string) {
  const [idsIn, locations] = [await partnersByCell(directory), await allLocations(directory)];
  const zoneOf = (id: string) => locations.get(id)?.timeZone ?? UTC;
  const window = { from: startOfMonth(month, UTC) - FURTHEST_ZONE, to: startOfMonth(next, UTC) + FURTHEST_ZONE };
  const found = await Promise.all(
    everyCell().map(async ({ databaseName, db }) => {
      const ids = idsIn(databaseName);
      const [closed, entries, paidOut, before] = await Promise.all([
        closedOf(db, ids, month),
        db.all(sql`SELECT e.partner_id AS partnerId, e.currency AS currency, MIN(e.at) AS at, MAX(e.at) AS last
          FROM (${entriesOf({ partnerId: { ids, now: 0 }, environments: ["live"], period: window })}) AS e
          WHERE e.amount <> 0 OR e.fee <> 0 GROUP BY 1, 2, e.at - e.at % ${DAY}`),
        db.all(sql`SELECT ${payouts.partnerId} AS partnerId, ${payouts.currency} AS currency, ${payouts.paidAt} AS at, ${payouts.paidAt} AS last
          FROM ${payouts} WHERE ${payouts.partnerId} IN ${inList(ids)} AND ${payouts.approvedAt} IS NOT NULL
          AND ${payouts.paidAt} >= ${window.from} AND ${payouts.paidAt} < ${window.to}`),
        db.all(sql`SELECT ${statements.partnerId} AS partnerId, ${statements.currency} AS currency, MIN(${statements.until}) AS at, 0 AS last
          FROM ${statements} WHERE ${statements.partnerId} IN ${inList(ids)} AND ${statements.month} < ${month} GROUP BY 1, 2`),
      ]);
      return { closed, moved: pairSchema.parse([...entries, ...paidOut]), before: pairSchema.parse(before) };
    }),
  );
  const closed = new Map(found.flatMap((cell) => cell.closed).map((row) => [keyOf(row), row]));
  const isWithin = ({ partnerId, at, last }: z.infer<typeof pairSchema>[number]) =>
    [at, last].some((time) => monthIn(time, zoneOf(partnerId)) === month);
  const due = [...found.flatMap(({ moved }) => moved.filter(isWithin)), ...found.flatMap(({ before }) => before)].filter(({ partnerId }) =>
    mayClose(next, zoneOf(partnerId), clock.now()),
  );
  const open = new Map(
    due
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
