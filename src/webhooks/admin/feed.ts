import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { type Environment, environments } from "../../core/environment.ts";
import { endpointIdOf } from "../../core/ids.ts";
import { type Cell, inList } from "../../db/client.ts";
import { events } from "../../db/schema/webhooks.ts";
import { bodyOf } from "../../views/event-body.ts";

/** How far a reader has come: the time of the last event that it has seen, of each environment (Unix milliseconds). */
export type FeedPosition = Readonly<Record<Environment, number>>;

/** Before all events. */
export const FEED_START: FeedPosition = { live: 0, test: 0 };

interface FeedQuery {
  readonly partnerId: string;
  readonly environments: readonly Environment[];
  readonly kinds: readonly string[] | undefined;
  readonly limit: number;
}

/** The rows of an environment that one page looks at, where only some kinds are wanted. */
const MAX_LOOKED_AT = 2_000;

/**
 * The events of a partner behind a position, oldest first. Each event of an environment has a later time than those that were committed
 * before it (`nextEventTime`), also after a move or a split of the partner. So no event appears behind a position that was given out.
 * One D1 round trip to each cell of the partner for each environment, the current cell last: an event is copied there before it is deleted
 * in an earlier one.
 */
export async function eventsBehind(cells: readonly { readonly db: Cell }[], query: FeedQuery, position: FeedPosition) {
  const found = await Promise.all(query.environments.map((environment) => ofEnvironment(cells, query, environment, position[environment])));
  const shown = found
    .flatMap(({ rows }) => rows)
    .toSorted((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1))
    .slice(0, query.limit);
  const reached = { ...position };
  for (const { environment, rows, end } of found) {
    const last = shown.findLast((row) => row.environment === environment)?.createdAt ?? position[environment];
    const isWhole = rows.every((row) => row.createdAt <= last);
    reached[environment] = isWhole ? Math.max(last, end ?? 0) : last;
  }
  return {
    events: shown.map((row) => ({ id: row.id, body: bodyOf(row) })),
    position: reached,
    hasMore: found.some(({ end }) => end !== null) || found.flatMap(({ rows }) => rows).length > shown.length,
  };
}

/** The position behind the newest event of each environment. */
export async function feedEnd(cells: readonly { readonly db: Cell }[], partnerId: string): Promise<FeedPosition> {
  const ends = { ...FEED_START };
  for (const { db } of cells) {
    for (const environment of environments) {
      const newest = await db
        .select({ at: sql<number | null>`MAX(${events.createdAt})` })
        .from(events)
        .where(eq(events.endpointId, endpointIdOf(partnerId, environment)))
        .get();
      ends[environment] = Math.max(ends[environment], newest?.at ?? 0);
    }
  }
  return ends;
}

/** The next events of one environment, and up to which time all were looked at, if more may follow. */
async function ofEnvironment(cells: readonly { readonly db: Cell }[], query: FeedQuery, environment: Environment, after: number) {
  const pages = [];
  for (const { db } of cells.toReversed()) pages.push(await ofCell(db, query, environment, after));
  const ends = pages.flatMap(({ end }) => end ?? []);
  const end = ends.length === 0 ? null : Math.min(...ends);
  const rows = new Map(pages.flatMap((page) => page.rows).map((row) => [row.id, row]));
  return { environment, end, rows: [...rows.values()].filter(({ createdAt }) => end === null || createdAt <= end) };
}

async function ofCell(db: Cell, { partnerId, kinds, limit }: FeedQuery, environment: Environment, after: number) {
  const isBehind = and(eq(events.endpointId, endpointIdOf(partnerId, environment)), gt(events.createdAt, after));
  const { id, name, createdAt, payload } = events;
  const last =
    kinds &&
    (await db
      .select({ createdAt })
      .from(events)
      .where(isBehind)
      .orderBy(asc(createdAt))
      .limit(1)
      .offset(MAX_LOOKED_AT - 1)
      .get());
  const rows = await db
    .select({ id, name, environment: events.environment, createdAt, payload })
    .from(events)
    .where(and(isBehind, last && lte(createdAt, last.createdAt), kinds && inArray(name, inList(kinds))))
    .orderBy(asc(createdAt))
    .limit(limit)
    .all();
  const lastRow = rows.length < limit ? undefined : rows.at(-1);
  return { rows, end: lastRow?.createdAt ?? last?.createdAt ?? null };
}
