import { and, eq, getTableColumns, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { startOfUtcDay } from "../core/clock.ts";
import { limits } from "../core/limits.ts";
import type { Cell } from "../db/client.ts";
import { isOwnedBy } from "../db/newest-page.ts";
import { refusedRequests } from "../db/schema/requests.ts";
import { countedAlone, defineSelections, type Whose } from "../db/selection.ts";
import { walkRows } from "../db/walk.ts";

/** A refused request of a partner, without personal values and secrets. */
export type RefusedRequest = typeof refusedRequests.$inferSelect;

/**
 * Keeps a refused request, unless the partner's day is full: one row written with its index, or none. Returns whether it was kept. One
 * D1 round trip; it counts the partner's rows of the day, which are few.
 */
export async function insertRefusal(db: Cell, row: RefusedRequest): Promise<boolean> {
  const { partnerId, at, id, operation, code, message, field, body } = row;
  const ofToday = and(eq(refusedRequests.partnerId, partnerId), gte(refusedRequests.at, startOfUtcDay(at)));
  const isBelow = sql`(SELECT count(*) FROM ${refusedRequests} WHERE ${ofToday}) < ${limits.refusedRequests.perDay}`;
  const { meta } = await db
    .insert(refusedRequests)
    .select(sql`SELECT ${partnerId}, ${at}, ${id}, ${operation}, ${code}, ${message}, ${field}, ${body} WHERE ${isBelow}`)
    .onConflictDoNothing();
  return meta.changes > 0;
}

/** Which refused requests to list. */
export interface RefusalFilter {
  readonly operations: readonly string[];
  /** Only with this code. */
  readonly code: string | undefined;
}

const conditionOf = ({ operations, code }: RefusalFilter): SQL | undefined =>
  and(inArray(refusedRequests.operation, [...operations]), code === undefined ? undefined : eq(refusedRequests.code, code));

/** The list of refused requests. They have no environment. */
export const refusalSelections = defineSelections({
  table: refusedRequests,
  id: refusedRequests.id,
  createdAt: refusedRequests.at,
  isOwn: ({ partnerId }: Whose<RefusalFilter>) => isOwnedBy(refusedRequests.partnerId, { partnerId }),
  isFiltered: conditionOf,
  sorts: {},
  columns: getTableColumns(refusedRequests),
  ...countedAlone,
});

/** A refused request by its id; undefined for an unknown one. A partner has few, so all of its rows are looked at. */
export async function findRefusal(db: Cell, partnerId: string, id: string): Promise<RefusedRequest | undefined> {
  return db
    .select()
    .from(refusedRequests)
    .where(and(eq(refusedRequests.partnerId, partnerId), eq(refusedRequests.id, id)))
    .get();
}

/** The owner of a refused request, by its id. By index. */
export async function ownersOfRefusal(db: Cell, id: string): Promise<Pick<RefusedRequest, "id" | "partnerId">[]> {
  return db
    .select({ id: refusedRequests.id, partnerId: refusedRequests.partnerId })
    .from(refusedRequests)
    .where(eq(refusedRequests.id, id))
    .all();
}

/** Deletes refused requests from before a time (Unix milliseconds). One step of a walk. */
export function expireRefusals(db: Cell, before: number) {
  const { partnerId, at } = refusedRequests;
  return walkRows(db, { name: "refused_requests", table: refusedRequests, key: partnerId }, (range) =>
    db.delete(refusedRequests).where(and(range, lt(at, before))),
  );
}
