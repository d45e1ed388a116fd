import { and, eq, gte, ne, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import { deliveries, endpoints } from "../db/schema/notifications.ts";

/** One endpoint per partner and environment, so its id can be told without looking. */
export function endpointIdOf(partnerId: string, environment: Environment): string {
  return `ep_${partnerId}_${environment}`;
}

/** An active endpoint, whatever it was before: it has failed nothing yet, and is another one than it was. */
const fresh = (now: number) => ({
  status: "active" as const,
  failingSince: null,
  failures: 0,
  restUntil: 0,
  suspendedAt: null,
  suspendedFor: null,
  revision: sql`${endpoints.revision} + 1`,
  updatedAt: now,
});

/**
 * An endpoint at this URL, made, moved or resumed; what was kept for it while it was suspended is on its way again. For
 * an active one at the same URL this changes nothing: whoever registers at each start must not wipe out what is known.
 */
export function putEndpoint(
  db: Database,
  endpoint: { readonly partnerId: string; readonly environment: Environment; readonly url: string },
  now: number,
): Statement[] {
  const id = endpointIdOf(endpoint.partnerId, endpoint.environment);
  return [
    db
      .insert(endpoints)
      .values({ id, ...endpoint, status: "active", createdAt: now, updatedAt: now })
      .onConflictDoUpdate({
        target: endpoints.id,
        set: { url: endpoint.url, ...fresh(now) },
        setWhere: sql`${endpoints.url} <> ${endpoint.url} OR ${endpoints.status} = 'suspended'`,
      }),
    sendAgain(db, id, eq(deliveries.state, "suspended"), now),
  ];
}

/** An endpoint as it is, or undefined. */
export async function findEndpoint(db: Database, id: string) {
  return db.select().from(endpoints).where(eq(endpoints.id, id)).get();
}

export const isActive = (id: string): SQL => sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND status = 'active')`;
export const isSuspended = (id: string): SQL => sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND status = 'suspended')`;

/** Stops an active endpoint, with all that is on its way to it but what is being sent at this moment. */
export function suspendEndpoint(db: Database, id: string, now: number) {
  return [
    db
      .update(endpoints)
      .set({ status: "suspended", suspendedAt: now, suspendedFor: "operator", updatedAt: now })
      .where(and(eq(endpoints.id, id), ne(endpoints.status, "suspended"))),
    db
      .update(deliveries)
      .set({ state: "suspended", waiting: false })
      .where(and(eq(deliveries.endpointId, id), eq(deliveries.state, "pending"), isSuspended(id))),
  ] as const;
}

/** Starts a suspended endpoint again, and sends what was kept for it. */
export function resumeEndpoint(db: Database, id: string, now: number) {
  return [
    db
      .update(endpoints)
      .set(fresh(now))
      .where(and(eq(endpoints.id, id), eq(endpoints.status, "suspended"))),
    sendAgain(db, id, and(eq(deliveries.state, "suspended"), isActive(id)), now),
  ] as const;
}

/** Puts deliveries that were given up, of events since a moment, on the schedule again, if the endpoint is active. */
export function sendExhaustedAgain(db: Database, id: string, since: number, now: number) {
  const given = and(eq(deliveries.state, "exhausted"), gte(deliveries.createdAt, since), isActive(id));
  return sendAgain(db, id, given, now);
}

/** They have the whole schedule before them, and each its turn as the endpoint takes them. */
function sendAgain(db: Database, endpointId: string, which: SQL | undefined, now: number) {
  return db
    .update(deliveries)
    .set({ state: "pending", waiting: true, nextAttemptAt: now, offSchedule: sql`${deliveries.attempts}` })
    .where(and(eq(deliveries.endpointId, endpointId), which));
}
