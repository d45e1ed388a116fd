import { and, asc, eq, gte, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Period } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import { endpointIdOf } from "../../core/ids.ts";
import type { Cell, Statement } from "../../db/client.ts";
import { endpoints, events } from "../../db/schema/webhooks.ts";
import { isInState, isRealEvent } from "./delivery-state.ts";

/** Resets an endpoint to active, without failures. The new revision invalidates results of attempts in progress. */
const resetHealth = (now: number) => ({
  status: "active" as const,
  failingSince: null,
  failures: 0,
  cooldownUntil: 0,
  suspendedAt: null,
  suspensionReason: null,
  suspensionNote: null,
  revision: sql`${endpoints.revision} + 1`,
  updatedAt: now,
});

/** SQL condition: an operator suspended the endpoint, or its partner is disabled, so the partner cannot resume it. */
export const isHeldEndpoint = sql`(${endpoints.status} = 'suspended' AND ${endpoints.suspensionReason} IN ('operator', 'partner_disabled'))`;

/** SQL condition: the endpoint of this event is suspended, and its partner cannot resume it. */
export const isHeldOf = (eventId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE ${endpoints.id} = (SELECT endpoint_id FROM ${events} WHERE ${events.id} = ${eventId}) AND ${isHeldEndpoint})`;

/** SQL condition on an event: the endpoint of its delivery is registered. */
export const hasEndpoint: SQL = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE ${endpoints.id} = ${events.endpointId})`;

/** An active endpoint that is to be added. */
type NewEndpoint = Pick<typeof endpoints.$inferSelect, "id" | "partnerId" | "environment" | "code" | "name" | "kinds" | "channel" | "url">;

/** Adds an endpoint, if the condition holds at that point of the batch. The values stand in the order of the columns. */
export function insertEndpoint(db: Cell, row: NewEndpoint, now: number, onlyIf: SQL) {
  const { id, partnerId, environment, code, name, kinds, channel, url } = row;
  return db
    .insert(endpoints)
    .select(
      sql`SELECT ${id}, ${partnerId}, ${environment}, ${code}, ${name}, ${kinds}, ${channel}, ${url}, 'active', NULL, 0, 0, NULL, NULL, NULL, 1, ${now}, ${now}, NULL WHERE ${onlyIf}`,
    );
}

/**
 * Creates the first endpoint of an environment, or moves it as {@link moveEndpoint} does.
 */
export function upsertEndpoint(
  db: Cell,
  endpoint: { readonly partnerId: string; readonly environment: Environment; readonly url: string },
  now: number,
): Statement[] {
  const id = endpointIdOf(endpoint.partnerId, endpoint.environment);
  return [
    db
      .insert(endpoints)
      .values({ id, ...endpoint, status: "active", createdAt: now, updatedAt: now })
      .onConflictDoNothing(),
    ...moveEndpoint(db, id, endpoint.url, now),
  ];
}

/**
 * Moves an endpoint to this URL, or resumes it there. Its suspended deliveries become pending again. An active endpoint at the same URL is
 * not changed: a partner that registers at each start must not reset the failure history. An endpoint that an operator suspended gets the
 * URL, and stays suspended.
 */
export function moveEndpoint(db: Cell, id: string, url: string, now: number): Statement[] {
  return [
    db
      .update(endpoints)
      .set({ url, ...resetHealth(now) })
      .where(and(eq(endpoints.id, id), sql`NOT ${isHeldEndpoint} AND (${endpoints.url} <> ${url} OR ${endpoints.status} = 'suspended')`)),
    db
      .update(endpoints)
      .set({ url, updatedAt: now })
      .where(and(eq(endpoints.id, id), isHeldEndpoint, ne(endpoints.url, url))),
    reschedule(db, id, and(isInState("suspended"), isActive(id)), now),
  ];
}

/** SQL condition: {@link upsertEndpoint} would change the endpoint. */
export const isToBeRegistered = (id: string, url: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${endpoints} WHERE ${endpoints.id} = ${id} AND ${endpoints.url} = ${url} AND (${endpoints.status} = 'active' OR ${isHeldEndpoint}))`;

/** The endpoint's current row, or undefined if it does not exist. */
export async function findEndpoint(db: Cell, id: string) {
  return db.select().from(endpoints).where(eq(endpoints.id, id)).get();
}

export const isActive = (id: string): SQL => sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND status = 'active')`;
const isSuspended = (id: string): SQL => sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND status = 'suspended')`;

/** SQL condition: an operator may suspend the endpoint. One that its partner unregistered gets nothing anyway. A suspended one gets another note. */
export const canBeSuspended = (id: string, note: string | null = null): SQL =>
  sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND (status = 'active' OR suspension_reason NOT IN ('operator', 'unregistered')
    OR (suspension_reason = 'operator' AND ${note} IS NOT NULL AND suspension_note IS NOT ${note})))`;
/** The suspensions that each of these lifts: an operator, the partner, and the enabling of a disabled partner. */
const LIFTED = {
  by_operator: sql`('gone', 'failing', 'operator')`,
  by_partner: sql`('gone', 'failing', 'unregistered')`,
  of_enabled_partner: sql`('partner_disabled')`,
} as const;

/** SQL condition: its partner may unregister the endpoint. */
export const canBeUnregistered = (id: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND (status = 'active' OR suspension_reason IN ('gone', 'failing')))`;

/** SQL condition: the endpoint is suspended for a reason that this one may lift. */
export const canBeResumed = (id: string, which: keyof typeof LIFTED): SQL =>
  sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND status = 'suspended' AND suspension_reason IN ${LIFTED[which]})`;

/** When each reason applies. */
const APPLIES = {
  operator: canBeSuspended,
  unregistered: (id: string) => canBeUnregistered(id),
  partner_disabled: () => sql`${endpoints.status} = 'active'`,
} as const;

/**
 * Suspends an endpoint and its pending deliveries. Attempts in progress continue. An operator's suspension replaces any
 * other. The suspension of a disabled partner only applies to an active endpoint, and ends when the partner is enabled.
 */
export function suspendEndpoint(
  db: Cell,
  id: string,
  now: number,
  suspensionReason: keyof typeof APPLIES,
  suspensionNote: string | null = null,
) {
  const applies = APPLIES[suspensionReason](id, suspensionNote);
  // Another note of an operator is no other suspension.
  const suspendedAt = sql`CASE WHEN ${endpoints.suspensionReason} = ${suspensionReason} THEN ${endpoints.suspendedAt} ELSE ${now} END`;
  return [
    db
      .update(endpoints)
      .set({ status: "suspended", suspendedAt, suspensionReason, suspensionNote, updatedAt: now })
      .where(and(eq(endpoints.id, id), applies)),
    db
      .update(events)
      .set({ state: "suspended", waiting: false })
      .where(and(eq(events.endpointId, id), isInState("pending"), isSuspended(id))),
  ] as const;
}

/** Ends what waits for an endpoint that is to be removed, if `onlyIf` is true at that point of the batch. */
export function endDeliveries(
  db: Cell,
  id: string,
  onlyIf: SQL = sql`TRUE`,
  states: readonly ("pending" | "suspended" | "sending")[] = ["pending", "suspended"],
): Statement[] {
  return states.map((state) =>
    db
      .update(events)
      .set({ state: "exhausted", waiting: false })
      .where(and(eq(events.endpointId, id), isInState(state), onlyIf)),
  );
}

/** Resumes an endpoint that is suspended for a reason that this one may lift, and its suspended deliveries. */
export function resumeEndpoint(db: Cell, id: string, now: number, which: keyof typeof LIFTED) {
  return [
    db
      .update(endpoints)
      .set(resetHealth(now))
      .where(and(eq(endpoints.id, id), eq(endpoints.status, "suspended"), sql`${endpoints.suspensionReason} IN ${LIFTED[which]}`)),
    reschedule(db, id, and(isInState("suspended"), isActive(id)), now),
  ] as const;
}

/** How many events one call resends at least, if there are so many. */
export const MAX_AGAIN = 2_000;

const ofPeriod = (id: string, { from, to }: Period) =>
  and(eq(events.endpointId, id), gte(events.createdAt, from), lt(events.createdAt, to));

/** The creation time of the event of a period that is the `count`th; null if there are fewer. By index. */
export async function lastOfPeriod(db: Cell, id: string, period: Period, count: number): Promise<number | null> {
  const row = await db
    .select({ createdAt: events.createdAt })
    .from(events)
    .where(ofPeriod(id, period))
    .orderBy(asc(events.createdAt), asc(events.id))
    .limit(1)
    .offset(count - 1)
    .get();
  return row?.createdAt ?? null;
}

/**
 * Restarts the schedule of all deliveries of a period, if the endpoint is active. Deliveries in progress or scheduled
 * stay unchanged.
 */
export function rescheduleAll(db: Cell, id: string, period: Period, now: number) {
  const isEnded = sql`${events.state} IN ('succeeded', 'exhausted', 'no_endpoint')`;
  return reschedule(db, id, and(ofPeriod(id, period), isEnded, isActive(id), isRealEvent), now);
}

/** Restarts the full schedule of these deliveries. Each one waits for a free slot of the endpoint. */
export function reschedule(db: Cell, endpointId: string, which: SQL | undefined, now: number) {
  return db
    .update(events)
    .set({ state: "pending", waiting: true, nextAttemptAt: now, unscheduledAttempts: sql`${events.attempts}` })
    .where(and(eq(events.endpointId, endpointId), which));
}
