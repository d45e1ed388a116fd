import { and, eq, getTableColumns, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import { endedStatuses } from "../core/object-states.ts";
import { type Cell, inList } from "../db/client.ts";
import { isOwnedBy, type ListData, newestOf, type OwnList } from "../db/newest-page.ts";
import { subscriptions } from "../db/schema/subscriptions.ts";

export type SubscriptionRow = Omit<typeof subscriptions.$inferSelect, "recordedEvents">;

const { id, partnerId, environment, status, startedAt, cancelAtPeriodEnd, cancelAt } = subscriptions;
const { recordedEvents: _, ...COLUMNS } = getTableColumns(subscriptions);

/** Which subscriptions a person looks for; a field that is undefined does not restrict the list. */
export interface SubscriptionFilter {
  /** The processor's status. */
  readonly status?: string | undefined;
  /** As `stateOfSubscription` says it. */
  readonly state?: string | undefined;
}

/**
 * The subscriptions of an environment, of a partner or of several, newest first. All of a partner are in its current cell. One page of a
 * filtered list may be short.
 */
export function newestSubscriptions(data: ListData, list: OwnList, filter: SubscriptionFilter) {
  return newestOf(
    data,
    list,
    { isOwn: and(isOwnedBy(partnerId, list), eq(environment, list.environment)), createdAt: startedAt, id },
    (db) =>
      db
        .select({ ...COLUMNS, createdAt: startedAt })
        .from(subscriptions)
        .$dynamic(),
    conditionOf(filter),
  );
}

/** SQL for the state `ending`. */
const isEnding = sql`(${notInArray(status, [...endedStatuses])} AND (${cancelAtPeriodEnd} OR ${cancelAt} IS NOT NULL))`;

function conditionOf({ status: wanted, state }: SubscriptionFilter): SQL | undefined {
  const isOfState = state === "ending" ? isEnding : sql`(${status} = ${state} AND NOT ${isEnding})`;
  return and(wanted === undefined ? undefined : eq(status, wanted), state === undefined ? undefined : isOfState);
}

/** A subscription of any partner; undefined for an unknown one. One D1 round trip. */
export async function findSubscription(db: Cell, wanted: string): Promise<SubscriptionRow | undefined> {
  return db.select(COLUMNS).from(subscriptions).where(eq(id, wanted)).get();
}

/** Subscriptions of any partner, by their ids. One D1 round trip. */
export async function findSubscriptions(db: Cell, wanted: readonly string[]): Promise<SubscriptionRow[]> {
  return db
    .select(COLUMNS)
    .from(subscriptions)
    .where(inArray(id, inList(wanted)))
    .all();
}
