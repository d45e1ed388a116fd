import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Period } from "../../core/clock.ts";
import { endpointIdOf } from "../../core/ids.ts";
import type { Cell } from "../../db/client.ts";
import { cellPage, isOwnedBy, type ListData, MAX_SEARCHED, newestOf, newestPage, type OwnList } from "../../db/newest-page.ts";
import { isOlderThan, type PageKey } from "../../db/page-key.ts";
import { events } from "../../db/schema/webhooks.ts";
import { type DeliveryState, isInState } from "../endpoints/delivery-state.ts";
import { shownColumns } from "./store.ts";

/** Which deliveries to list; undefined: of any state, of any event. */
export interface DeliveryFilter {
  readonly state: DeliveryState | undefined;
  /** The event's name. */
  readonly name: string | undefined;
  /** The code of a further endpoint; left out: the first one, which has all events. */
  readonly code?: string | undefined;
}

/** The deliveries to find, of events of one endpoint that were recorded in a period. */
interface DeliverySearch extends DeliveryFilter, Period {
  readonly endpointId: string;
}

/** The states with an index of their own by time. */
const INDEXED: readonly DeliveryState[] = ["exhausted", "suspended"];

/**
 * The deliveries of a partner in an environment, or of several, newest first. A search that no index serves looks at 2,000 rows at
 * most: a page may have fewer rows than `limit`, or none, although more exist behind it. For one partner, one D1 round trip to each of
 * its cells, and two for such a search.
 */
export function listDeliveries(data: ListData, list: OwnList, filter: DeliveryFilter) {
  const { partnerId, environment, period = ALL_TIME, before, limit } = list;
  if (typeof partnerId !== "string") return deliveriesOfMany(data, list, filter);
  const search = { ...filter, ...period, endpointId: endpointIdOf(partnerId, environment, filter.code) };
  return newestPage(data, limit, (db) => searchCell(db, search, before, limit));
}

const ALL_TIME: Period = { from: 0, to: Number.MAX_SAFE_INTEGER };

async function searchCell(db: Cell, search: DeliverySearch, before: PageKey | undefined, limit: number) {
  const isByIndex = search.name === undefined && (search.state === undefined || INDEXED.includes(search.state));
  const end = isByIndex
    ? undefined
    : await rowsAfter(db, search, before)
        .limit(1)
        .offset(MAX_SEARCHED - 1)
        .get();
  const found = await rowsAfter(
    db,
    search,
    before,
    end && sql`(${events.createdAt}, ${events.id}) >= (${end.createdAt}, ${end.deliveryId})`,
    search.state === undefined ? undefined : eq(events.state, search.state),
    search.name === undefined ? undefined : eq(events.name, search.name),
  )
    .limit(limit + 1)
    .all();
  const rows = found.map((row) => ({ ...row, id: row.deliveryId, at: row.createdAt }));
  if (rows.length > limit || end === undefined) return cellPage(rows, limit);
  return { rows, end: { id: end.deliveryId, at: end.createdAt } };
}

/** The rows behind the cursor, newest first, by index. */
function rowsAfter(
  db: Cell,
  { endpointId, from, to, state }: DeliverySearch,
  before: PageKey | undefined,
  ...conditions: (SQL | undefined)[]
) {
  const isInIndexedState = state !== undefined && INDEXED.includes(state) ? isInState(state) : undefined;
  const period = and(gte(events.createdAt, from), lt(events.createdAt, to), isOlderThan(events.createdAt, events.id, before));
  return db
    .select(shownColumns)
    .from(events)
    .where(and(eq(events.endpointId, endpointId), isInIndexedState, period, ...conditions))
    .orderBy(desc(events.createdAt), desc(events.id));
}

async function deliveriesOfMany(data: ListData, list: OwnList, { state, name }: DeliveryFilter) {
  const filter = and(state === undefined ? undefined : eq(events.state, state), name === undefined ? undefined : eq(events.name, name));
  return newestOf(
    data,
    list,
    { isOwn: isOwnedBy(events.endpointId, list, (id) => endpointIdOf(id, list.environment)), createdAt: events.createdAt, id: events.id },
    (db) =>
      db
        .select({ ...shownColumns, id: shownColumns.deliveryId })
        .from(events)
        .$dynamic(),
    filter,
  );
}
