import { and, desc, eq, gte, lt } from "drizzle-orm";
import type { Period } from "../../core/clock.ts";
import type { Cell } from "../../db/client.ts";
import { isOlderThan, type PageKey } from "../../db/page-key.ts";
import { type Dated, newestFirst, type PartnerData } from "../../db/partner-data.ts";
import { events } from "../../db/schema/webhooks.ts";
import { type DeliveryState, isInState } from "../endpoints/delivery-state.ts";
import { shownColumns } from "./store.ts";

/** The deliveries to find, of events of one endpoint that were recorded in a period. */
export interface DeliverySearch extends Period {
  readonly endpointId: string;
  readonly state: DeliveryState | undefined;
  /** The event's name. */
  readonly name: string | undefined;
}

/** A page of deliveries. */
interface DeliveryPage {
  readonly rows: Awaited<ReturnType<typeof rowsOfWindow>>;
  /** The cursor of the next page; null on the last one. */
  readonly next: PageKey | null;
}

/** The maximum number of rows that one search looks at. The next page continues behind them. */
const MAX_SEARCHED = 2_000;

/** The states with an index of their own by time. */
const INDEXED: readonly DeliveryState[] = ["exhausted", "suspended"];

/**
 * Finds deliveries of a partner, newest first. A search looks at 2,000 rows at most: a page may have fewer rows than
 * `limit`, or none, although more exist behind it. One D1 round trip to each of the partner's cells.
 */
export async function searchDeliveries(
  data: PartnerData,
  search: DeliverySearch,
  before: PageKey | undefined,
  limit: number,
): Promise<DeliveryPage> {
  const isByIndex = search.name === undefined && (search.state === undefined || INDEXED.includes(search.state));
  const size = isByIndex ? limit + 1 : MAX_SEARCHED;
  const answers = await data.each(({ db }) =>
    db.batch([rowsOfWindow(db, search, before, size, limit + 1), endOfWindow(db, search, before, size)]),
  );
  // A cell that has not looked at its older rows may have some that belong before those of another cell.
  const [end] = answers
    .flatMap(([, ends]) => ends)
    .map(({ id, createdAt }) => ({ id, at: createdAt }))
    .toSorted(newestFirst);
  const found = answers.flatMap(([rows]) => rows).map((row) => ({ ...row, id: row.eventId, at: row.createdAt }));
  // A row may be copied to another cell during the search.
  const rows = [...new Map(found.map((row) => [row.id, row])).values()]
    .toSorted(newestFirst)
    .filter((row) => end === undefined || newestFirst(row, end) <= 0);
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? keyOf(shown.at(-1)) : keyOf(end) };
}

function keyOf(row: Dated | undefined): PageKey | null {
  return row === undefined ? null : { at: row.at, id: row.id };
}

/** The newest ids after the cursor, by index. */
function windowOf(db: Cell, { endpointId, from, to, state }: DeliverySearch, before: PageKey | undefined) {
  return db
    .select({ id: events.id, createdAt: events.createdAt })
    .from(events)
    .where(
      and(
        eq(events.endpointId, endpointId),
        state !== undefined && INDEXED.includes(state) ? isInState(state) : undefined,
        gte(events.createdAt, from),
        lt(events.createdAt, to),
        isOlderThan(events.createdAt, events.id, before),
      ),
    )
    .orderBy(desc(events.createdAt), desc(events.id));
}

function rowsOfWindow(db: Cell, search: DeliverySearch, before: PageKey | undefined, size: number, limit: number) {
  const window = windowOf(db, search, before).limit(size).as("searched");
  return db
    .select(shownColumns)
    .from(window)
    .innerJoin(events, eq(events.id, window.id))
    .where(
      and(
        search.state === undefined ? undefined : eq(events.state, search.state),
        search.name === undefined ? undefined : eq(events.name, search.name),
      ),
    )
    .orderBy(desc(events.createdAt), desc(events.id))
    .limit(limit);
}

/** The last row of a full window. No row if the window is not full. */
function endOfWindow(db: Cell, search: DeliverySearch, before: PageKey | undefined, size: number) {
  return windowOf(db, search, before)
    .limit(1)
    .offset(size - 1);
}
