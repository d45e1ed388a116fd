import { type SQL, sql } from "drizzle-orm";
import { DAY, MINUTE, SECOND } from "../core/clock.ts";
import { deliveries, endpoints } from "../db/schema/notifications.ts";

/**
 * How much of everybody's time one endpoint may take. Its attempts under way are counted, so that one that hangs keeps
 * few others waiting; while it fails it gets one attempt at a time, and between them it is left alone for half as long
 * as it has been failing. An endpoint that takes what it is sent notices none of it.
 */
export const MOST_AT_ONCE = 10;
export const LONGEST_REST = 5 * MINUTE;
/** What is over after the first repetition of an attempt is no reason to leave an endpoint alone. */
const TOLERANCE = 10 * SECOND;

/** An endpoint that only failed for so long is suspended (docs/webhooks.md). */
const PATIENCE = 5 * DAY;
/** Where failures lie days apart, a disturbance of a minute must not look like five bad days. */
const LEAST_FAILURES = 3;

/** How many more attempts an endpoint, by its name in the statement, takes with those that are under way. */
export function freePlaces(endpoint: SQL): SQL<number> {
  const busy = sql`(SELECT count(*) FROM ${deliveries} AS busy WHERE busy.endpoint_id = ${endpoint}.id AND busy.state = 'sending')`;
  return sql`(CASE WHEN ${endpoint}.failing_since IS NULL THEN ${MOST_AT_ONCE} ELSE 1 END - ${busy})`;
}

/** Whether a delivery's endpoint takes one more attempt now; false for one that is suspended. */
export function hasPlace(now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${endpoints} AS place WHERE place.id = ${deliveries}.endpoint_id AND place.status = 'active'
    AND place.rest_until <= ${now} AND ${freePlaces(sql`place`)} > 0)`;
}

/**
 * Until when an endpoint that has failed once more is left alone: for a while if it has failed for a while, for as long
 * as it asks for itself (`patience`, in milliseconds), five minutes at most. A longer rest that it has already stays.
 */
export function restAfterFailure(now: number, patience: number): SQL {
  const failingFor = sql`(${now} - COALESCE(${endpoints.failingSince}, ${now}))`;
  const rest = sql`MAX(${patience}, CASE WHEN ${failingFor} < ${TOLERANCE} THEN 0 ELSE ${failingFor} / 2 END)`;
  return sql`MAX(${endpoints.restUntil}, ${now} + MIN(${LONGEST_REST}, ${rest}))`;
}

/** Whether an endpoint has only failed, and for longer than anybody has patience. */
export function hasOnlyFailed(now: number): SQL {
  return sql`${endpoints.failingSince} <= ${now - PATIENCE} AND ${endpoints.failures} >= ${LEAST_FAILURES}`;
}

/** The state of a delivery that is neither over nor under way: it is its endpoint that is suspended or not. */
export const stateByEndpoint = sql<"pending" | "suspended">`CASE
  WHEN (SELECT status FROM ${endpoints} WHERE ${endpoints}.id = ${deliveries}.endpoint_id) = 'suspended' THEN 'suspended' ELSE 'pending' END`;

/** The state that a delivery falls back into when an operator's attempt, or its consumer, came to nothing. */
export const stateBefore = sql<"pending" | "suspended">`CASE
  WHEN COALESCE(${deliveries.resendFrom}, 'pending') IN ('pending', 'suspended') THEN ${stateByEndpoint} ELSE ${deliveries.resendFrom} END`;
