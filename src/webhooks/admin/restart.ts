import { and, asc, count, eq, gte, inArray, type SQL, sql } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { type Clock, HOUR, isoTime } from "../../core/clock.ts";
import { partnerOfEndpoint } from "../../core/ids.ts";
import type { MessageQueue } from "../../core/message-queue.ts";
import type { Cell } from "../../db/client.ts";
import { endpoints, events } from "../../db/schema/webhooks.ts";
import { sweepDeliveries } from "../delivery/sweep.ts";
import { isInState } from "../endpoints/delivery-state.ts";
import { findEndpoint, reschedule } from "../endpoints/store.ts";

/** How many exhausted deliveries of a webhook its partner may restart, and how often. */
export const RESTART_LIMIT = 1_000;
export const RESTART_PAUSE = 1 * HOUR;

interface RestartDeps {
  readonly db: Cell;
  readonly clock: Clock;
  readonly deliveryQueue: MessageQueue;
}

export type RestartResult =
  | { readonly outcome: "restarted"; readonly restarted: number; readonly left: number }
  /** The webhook is suspended; or its partner has restarted deliveries within the hour, and may again at `at`. */
  | { readonly outcome: "suspended" }
  | { readonly outcome: "too_soon"; readonly at: number };

/**
 * Restarts the schedule of the oldest exhausted deliveries of a webhook, of events created at or after `since` (Unix
 * milliseconds): at most {@link RESTART_LIMIT}, and once in {@link RESTART_PAUSE}. They are sent in the background.
 * `left` counts the exhausted ones that remain. Undefined for an unknown endpoint. Four D1 round trips, and a sweep.
 */
export async function restartExhausted(deps: RestartDeps, id: string, actor: Actor, since: number): Promise<RestartResult | undefined> {
  const { db, clock } = deps;
  const now = clock.now();
  const isExhausted = and(eq(events.endpointId, id), isInState("exhausted"), gte(events.createdAt, since));
  const oldest = db
    .select({ id: events.id })
    .from(events)
    .where(isExhausted)
    .orderBy(asc(events.createdAt), asc(events.id))
    .limit(RESTART_LIMIT);
  const entry = {
    actor,
    action: "endpoint.restart_exhausted",
    target: id,
    partnerId: partnerOfEndpoint(id),
    after: { since: isoTime(since) },
  };
  const [, restarted, changed] = await db.batch([
    auditRow(db, entry, now, mayRestart(id, now)),
    reschedule(db, id, and(inArray(events.id, oldest), mayRestart(id, now)), now),
    db
      .update(endpoints)
      .set({ restartedAt: now })
      .where(and(eq(endpoints.id, id), mayRestart(id, now))),
  ]);
  const endpoint = await findEndpoint(db, id);
  if (endpoint === undefined) return undefined;
  if (endpoint.status === "suspended") return { outcome: "suspended" };
  if (changed.meta.changes === 0) return { outcome: "too_soon", at: (endpoint.restartedAt ?? now) + RESTART_PAUSE };
  await sweepDeliveries(deps);
  const remaining = await db.select({ count: count() }).from(events).where(isExhausted).get();
  return { outcome: "restarted", restarted: restarted.meta.changes, left: remaining?.count ?? 0 };
}

/** SQL condition: the endpoint is active, and its partner has restarted nothing for an hour. */
function mayRestart(id: string, now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND status = 'active' AND (restarted_at IS NULL OR restarted_at <= ${now - RESTART_PAUSE}))`;
}
