import { and, asc, count, eq, gte, inArray, type SQL, sql } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { HOUR, isoTime, type Period } from "../../core/clock.ts";
import { partnerOfEndpoint } from "../../core/ids.ts";
import { type Cell, inList } from "../../db/client.ts";
import { endpoints, events } from "../../db/schema/webhooks.ts";
import { type SweepDeps, sweepDeliveries } from "../delivery/sweep.ts";
import { isInState, isRealEvent } from "../endpoints/delivery-state.ts";
import { findEndpoint, isActive, reschedule } from "../endpoints/store.ts";

/** How many exhausted deliveries of a webhook its partner may restart, and how often. */
export const RESTART_LIMIT = 1_000;
const RESTART_PAUSE = 1 * HOUR;

type Endpoint = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>;

export type RestartResult =
  | { readonly outcome: "restarted"; readonly restarted: number; readonly endpoint: Endpoint }
  | { readonly outcome: "suspended"; readonly endpoint: Endpoint }
  /** Its partner has restarted deliveries within the hour, and may again at `at`. */
  | { readonly outcome: "too_soon"; readonly at: number };

/** What is restarted: deliveries that were given up, or those that wait for their next attempt. */
export type Restartable = "exhausted" | "pending";

/** `isLimited`: for a partner, at most {@link RESTART_LIMIT}, and once in {@link RESTART_PAUSE}; for an operator, all, at any time. */
interface Restart {
  readonly state?: Restartable;
  readonly since: number;
  readonly isLimited: boolean;
}

/**
 * Restarts the schedule of the oldest exhausted, or pending, deliveries of a webhook, of events created at or after `since` (Unix
 * milliseconds). They are sent in the background; a cooldown of the webhook ends. The hour begins only if a delivery is restarted.
 * Undefined for an unknown endpoint. Two D1 round trips, and a sweep.
 */
export async function restartDeliveries(
  deps: SweepDeps,
  id: string,
  actor: Actor,
  { state = "exhausted", since, isLimited }: Restart,
): Promise<RestartResult | undefined> {
  const { db, clock } = deps;
  const now = clock.now();
  const oldest = db
    .select({ id: events.id })
    .from(events)
    .where(isOwed(id, state, since))
    .orderBy(asc(events.createdAt), asc(events.id))
    .limit(RESTART_LIMIT);
  const after = { since: isoTime(since) };
  const entry = { actor, action: `endpoint.restart_${state}` as const, target: id, partnerId: partnerOfEndpoint(id), after };
  const begins = and(
    isLimited ? mayRestart(id, now) : isActive(id),
    sql`EXISTS (SELECT 1 FROM ${events} WHERE ${isOwed(id, state, since)})`,
  );
  const hasBegun = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND restarted_at = ${now})`;
  const [, begun, restarted] = await db.batch([
    auditRow(db, entry, now, begins),
    db
      .update(endpoints)
      .set({ restartedAt: isLimited ? now : sql`${endpoints.restartedAt}`, cooldownUntil: 0 })
      .where(and(eq(endpoints.id, id), begins)),
    reschedule(db, id, isLimited ? and(inArray(events.id, oldest), hasBegun) : and(isOwed(id, state, since), isActive(id)), now),
  ]);
  const endpoint = await findEndpoint(db, id);
  if (endpoint === undefined) return undefined;
  if (endpoint.status === "suspended") return { outcome: "suspended", endpoint };
  const { restartedAt } = endpoint;
  if (begun.meta.changes > 0 || !isLimited) await sweepDeliveries(deps);
  else if (restartedAt !== null && now < restartedAt + RESTART_PAUSE) return { outcome: "too_soon", at: restartedAt + RESTART_PAUSE };
  return { outcome: "restarted", restarted: restarted.meta.changes, endpoint };
}

/** The number of exhausted, or pending, deliveries of a webhook in one cell. */
export async function countRestartable(db: Cell, id: string, state: Restartable, since: number): Promise<number> {
  const found = await db
    .select({ count: count() })
    .from(events)
    .where(isOwed(id, state, since))
    .get();
  return found?.count ?? 0;
}

/** How many deliveries a restart brings from each earlier cell of a partner that was split by time. */
export const MAX_PULLED = 100;

/** The oldest exhausted deliveries, which must be in the current cell before they are restarted. */
export function oldestExhausted(id: string, since: number): Earlier {
  const oldest = `SELECT id FROM events WHERE endpoint_id = ?2 AND state = 'exhausted' AND created_at >= CAST(?3 AS INTEGER)
    ORDER BY created_at, id LIMIT ${MAX_PULLED}`;
  return { where: `id IN (${oldest})`, parameters: [id, String(since)] };
}

/** Deliveries in an earlier cell, by a condition of SQL. */
interface Earlier {
  readonly where: string;
  readonly parameters: readonly string[];
}

/** The ended deliveries of events of a period, which must be in the current cell before they are restarted. */
export function endedOfPeriod(id: string, { from, to }: Period): Earlier {
  const ended = `SELECT id FROM events WHERE endpoint_id = ?2 AND created_at >= CAST(?3 AS INTEGER) AND created_at < CAST(?4 AS INTEGER)
    AND state IN ('succeeded', 'exhausted', 'no_endpoint')`;
  return { where: `id IN (${ended})`, parameters: [id, String(from), String(to)] };
}

/** SQL condition: a delivery of the webhook in this state, of a real event. */
function isOwed(id: string, state: Restartable, since: number): SQL | undefined {
  return and(eq(events.endpointId, id), isInState(state), gte(events.createdAt, since), isRealEvent);
}

/**
 * Restarts the schedule of chosen deliveries of a partner that have ended, if their endpoint is active; a test event is sent once. A person gets no message twice. They are sent in the background.
 * Returns the ids of those that were restarted. One D1 round trip, and a sweep.
 */
export async function restartChosen(deps: SweepDeps, partnerId: string, deliveryIds: readonly string[], actor: Actor): Promise<string[]> {
  const { db, clock } = deps;
  const now = clock.now();
  const isChosen = and(
    inArray(events.id, inList(deliveryIds)),
    eq(events.partnerId, partnerId),
    inArray(events.state, ["succeeded", "exhausted", "no_endpoint"]),
    isRealEvent,
  );
  const isActiveEndpoint = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE ${endpoints.id} = ${events.endpointId} AND ${endpoints.status} = 'active' AND ${endpoints.channel} IS NOT 'email')`;
  const entry = { actor, action: "delivery.resend_chosen" as const, target: partnerId, partnerId, after: { deliveries: deliveryIds } };
  const [, restarted] = await db.batch([
    auditRow(db, entry, now, sql`EXISTS (SELECT 1 FROM ${events} WHERE ${and(isChosen, isActiveEndpoint)})`),
    db
      .update(events)
      .set({ state: "pending", waiting: true, nextAttemptAt: now, unscheduledAttempts: sql`${events.attempts}` })
      .where(and(isChosen, isActiveEndpoint))
      .returning({ id: events.id }),
  ]);
  await sweepDeliveries(deps);
  return restarted.map(({ id }) => id);
}

/** SQL condition: the endpoint is active, and its partner has restarted nothing for an hour. */
function mayRestart(id: string, now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND status = 'active' AND (restarted_at IS NULL OR restarted_at <= ${now - RESTART_PAUSE}))`;
}
