import { and, asc, eq, gt, inArray, lte, type SQL } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Cell, inList } from "../db/client.ts";
import { MAX_SEARCHED } from "../db/newest-page.ts";
import { subscriptions } from "../db/schema/subscriptions.ts";

export type SubscriptionRow = Omit<typeof subscriptions.$inferSelect, "recordedEvents" | "startedAt">;

const { id, partnerId, environment, status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd, collectionPaused } = subscriptions;
const { items, paymentLinkId, clientReferenceId, endedAt, updatedAt } = subscriptions;
const COLUMNS = {
  id,
  partnerId,
  environment,
  status,
  cancelAtPeriodEnd,
  cancelAt,
  currentPeriodEnd,
  collectionPaused,
  items,
  paymentLinkId,
  clientReferenceId,
  endedAt,
  updatedAt,
};

/** Whose subscriptions a list has, and which page. */
interface SubscriptionList {
  /** Null: those of all partners. */
  readonly partnerId: string | null;
  readonly environment: Environment;
  /** The processor's status; undefined for any. */
  readonly status: string | undefined;
  /** The page starts after this id. */
  readonly after: string;
  readonly limit: number;
}

/**
 * The subscriptions of a partner, or of all, in the order of their ids: at most `limit`. All of a partner are in its
 * current cell. `next`: the id after which the next page starts; null on the last page. Without an index for it, a page
 * looks at 2,000 rows at most. One D1 round trip, and two for such a page.
 */
export async function listSubscriptions(db: Cell, list: SubscriptionList): Promise<{ rows: SubscriptionRow[]; next: string | null }> {
  const end =
    list.status === undefined && list.partnerId !== null
      ? undefined
      : await rowsAfter(db, list)
          .limit(1)
          .offset(MAX_SEARCHED - 1)
          .get();
  const isSearched = end && lte(id, end.id);
  const isWanted = and(
    list.status === undefined ? undefined : eq(status, list.status),
    list.partnerId === null ? eq(environment, list.environment) : undefined,
  );
  const found = await rowsAfter(db, list, isSearched, isWanted)
    .limit(list.limit + 1)
    .all();
  const rows = found.slice(0, list.limit);
  return { rows, next: found.length > list.limit ? (rows.at(-1)?.id ?? null) : (end?.id ?? null) };
}

/** One page of at most `limit` rows from pages of several places, in the order of ids. */
export function mergeById(pages: readonly { readonly rows: readonly SubscriptionRow[]; readonly next: string | null }[], limit: number) {
  // A place that has not looked further may have rows that belong before those of another.
  const [end] = pages.flatMap(({ next }) => next ?? []).toSorted();
  const all = new Map(pages.flatMap((page) => page.rows).map((row) => [row.id, row]));
  const rows = [...all.values()]
    .filter((row) => end === undefined || row.id <= end)
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const shown = rows.slice(0, limit);
  return { rows: shown, next: (rows.length > limit ? shown.at(-1)?.id : end) ?? null };
}

function rowsAfter(db: Cell, list: SubscriptionList, ...conditions: (SQL | undefined)[]) {
  return db
    .select(COLUMNS)
    .from(subscriptions)
    .where(and(isOf(list), gt(id, list.after), ...conditions))
    .orderBy(asc(id));
}

/** SQL condition: the row is the partner's, by index. Those of all partners are read by their ids. */
function isOf(list: SubscriptionList): SQL | undefined {
  return list.partnerId === null ? undefined : and(eq(partnerId, list.partnerId), eq(environment, list.environment));
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
