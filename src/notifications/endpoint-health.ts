import { type SQL, sql } from "drizzle-orm";
import { DAY, MINUTE, SECOND } from "../core/clock.ts";
import { deliveries, endpoints } from "../db/schema/notifications.ts";

/**
 * How much of everybody's time one endpoint may take. Its attempts under way are counted, so that one that hangs keeps
 * few others waiting; while it fails it gets one attempt at a time, and between them it is left alone for half as long
 * as it has been failing. An endpoint that takes what it is sent notices none of it.
 */
export const MOST_AT_ONCE = 10;
const LONGEST_REST = 5 * MINUTE;
/** What is over after the first repetition of an attempt is no reason to leave an endpoint alone. */
const TOLERANCE = 10 * SECOND;

/** An endpoint that only failed for so long is suspended (docs/webhooks.md). */
const PATIENCE = 5 * DAY;
/** Where failures lie far apart, a disturbance of a minute must not look like five bad days: a third attempt decides. */
const LEAST_ATTEMPTS = 3;

/** Whether a delivery's endpoint takes one more attempt now; false for one that is suspended. */
export function hasPlace(now: number): SQL {
  const busy = sql`(SELECT count(*) FROM ${deliveries} AS busy WHERE busy.endpoint_id = place.id AND busy.state = 'sending')`;
  return sql`EXISTS (SELECT 1 FROM ${endpoints} AS place WHERE place.id = ${deliveries}.endpoint_id AND place.status = 'active'
    AND place.rest_until <= ${now} AND ${busy} < CASE WHEN place.failing_since IS NULL THEN ${MOST_AT_ONCE} ELSE 1 END)`;
}

/** Until when an endpoint that has failed once more is left alone, if it has failed for a while; a longer rest stays. */
export function restAfterFailure(now: number): SQL {
  const failingFor = sql`(${now} - COALESCE(${endpoints.failingSince}, ${now}))`;
  return sql`CASE WHEN ${failingFor} < ${TOLERANCE} THEN ${endpoints.restUntil}
    ELSE MAX(${endpoints.restUntil}, ${now} + MIN(${LONGEST_REST}, ${failingFor} / 2)) END`;
}

/** Whether a failure may end its endpoint: because it says that it is gone, or if it has only failed for too long. */
export function mayEndEndpoint(failure: { readonly gone: boolean; readonly scheduledAttempts: number }): boolean {
  return failure.gone || failure.scheduledAttempts >= LEAST_ATTEMPTS;
}

/** Whether an endpoint has only failed for longer than anybody has patience. */
export function hasOnlyFailed(now: number): SQL {
  return sql`${endpoints.failingSince} <= ${now - PATIENCE}`;
}

/** The state of a delivery that is neither over nor under way: what is suspended is its endpoint. */
export const stateByEndpoint = sql<"pending" | "suspended">`CASE
  WHEN (SELECT status FROM ${endpoints} WHERE ${endpoints}.id = ${deliveries}.endpoint_id) = 'suspended' THEN 'suspended' ELSE 'pending' END`;
