import { type SQL, sql } from "drizzle-orm";
import { DAY, MINUTE, SECOND } from "../../core/clock.ts";
import { endpoints, events } from "../../db/schema/webhooks.ts";

/**
 * Limits the resources that one endpoint may use. The number of attempts in progress is limited, so that an endpoint
 * that hangs delays few other deliveries. A failing endpoint gets one attempt at a time. Between attempts it has a
 * cooldown of half the time that it has been failing. A healthy endpoint is not affected.
 */
export const MAX_CONCURRENT_ATTEMPTS = 10;
export const MAX_COOLDOWN = 5 * MINUTE;
/** There is no automatic cooldown until the endpoint has been failing for this long, so that the first retry can end it. */
const COOLDOWN_THRESHOLD = 10 * SECOND;

/** An endpoint that had only failures for this long is suspended (docs/webhooks.md). */
const SUSPEND_AFTER = 5 * DAY;
/** If events are days apart, outages of a minute must not count as five days of failures. */
const MIN_FAILURES = 3;

/** Free slots of an endpoint: its limit minus its attempts in progress. `endpoint` is its name in the statement. */
export function freeSlots(endpoint: SQL): SQL<number> {
  const busy = sql`(SELECT count(*) FROM ${events} AS busy WHERE busy.endpoint_id = ${endpoint}.id AND busy.state = 'sending')`;
  return sql`(CASE WHEN ${endpoint}.failing_since IS NULL THEN ${MAX_CONCURRENT_ATTEMPTS} ELSE 1 END - ${busy})`;
}

/**
 * The end of an endpoint's cooldown after another failure. The cooldown is half the time that the endpoint has been
 * failing, or the delay that the receiver requested (in milliseconds) if that is longer; at most five minutes. A
 * cooldown that already ends later is kept.
 */
export function cooldownAfterFailure(now: number, requestedCooldown: number): SQL {
  const failingFor = sql`(${now} - COALESCE(${endpoints.failingSince}, ${now}))`;
  const cooldown = sql`MAX(${requestedCooldown}, CASE WHEN ${failingFor} < ${COOLDOWN_THRESHOLD} THEN 0 ELSE ${failingFor} / 2 END)`;
  return sql`MAX(${endpoints.cooldownUntil}, ${now} + MIN(${MAX_COOLDOWN}, ${cooldown}))`;
}

/** Whether an endpoint has had only failures, for long enough to be suspended. */
export function shouldSuspend(now: number): SQL {
  return sql`${endpoints.failingSince} <= ${now - SUSPEND_AFTER} AND ${endpoints.failures} >= ${MIN_FAILURES}`;
}

/**
 * The state of an unfinished delivery that is not being sent: `suspended` if its endpoint is, `exhausted` if its endpoint was removed,
 * otherwise `pending`.
 */
export const stateByEndpoint = sql<
  "pending" | "suspended" | "exhausted"
>`COALESCE((SELECT CASE status WHEN 'suspended' THEN 'suspended' ELSE 'pending' END
  FROM ${endpoints} WHERE ${endpoints}.id = ${events}.endpoint_id), 'exhausted')`;

/** The state that a delivery returns to after a failed manual attempt, or after its consumer died. */
export const restoredState = sql<"pending" | "suspended" | "exhausted">`CASE
  WHEN COALESCE(${events.stateBeforeResend}, 'pending') IN ('pending', 'suspended') THEN ${stateByEndpoint} ELSE ${events.stateBeforeResend} END`;
