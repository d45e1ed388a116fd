import { sql } from "drizzle-orm";
import type { Cell } from "../../db/client.ts";
import { type attemptErrors, deliveryAttempts, events } from "../../db/schema/webhooks.ts";
import type { ClaimedDelivery } from "./claims.ts";

/** The result of an attempt, and the time when it ended (Unix milliseconds). */
export interface AttemptResult {
  /** Null for a success. */
  readonly errorClass: (typeof attemptErrors)[number] | null;
  /** The HTTP status, or null without a response. */
  readonly status: number | null;
  readonly excerpt: string | null;
  readonly endedAt: number;
}

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly claimed: ClaimedDelivery;
  readonly result: AttemptResult;
}

/** Writes attempts with their results. If the sweep has recorded an attempt as lost, its result replaces that. */
export function insertAttempts(db: Cell, ended: readonly EndedAttempt[]) {
  return db
    .insert(deliveryAttempts)
    .values(
      ended.map(({ claimed: { deliveryId, number, claimedAt, manual }, result: { endedAt, ...result } }) => {
        return { eventId: deliveryId, number, at: claimedAt, manual, ...result, durationMs: endedAt - claimedAt };
      }),
    )
    .onConflictDoUpdate({
      target: [deliveryAttempts.eventId, deliveryAttempts.number],
      set: {
        errorClass: sql`excluded.error_class`,
        status: sql`excluded.status`,
        excerpt: sql`excluded.excerpt`,
        durationMs: sql`excluded.duration_ms`,
      },
    });
}

/** Takes the longest waiting deliveries of endpoints, as many as slots became free, and returns them. */
export function takeWaiting(db: Cell, slots: ReadonlyMap<string, number>) {
  const lanes = JSON.stringify([...slots]);
  const first = sql`(SELECT id FROM ${events} AS first WHERE first.endpoint_id = lane.value ->> 0 AND first.state = 'pending' AND first.waiting = 1
    ORDER BY first.next_attempt_at LIMIT ${Math.max(...slots.values())})`;
  const longest = sql`SELECT waits.id, lane.value ->> 1 AS slots,
      ROW_NUMBER() OVER (PARTITION BY waits.endpoint_id ORDER BY waits.next_attempt_at) AS place
    FROM json_each(${lanes}) AS lane JOIN ${events} AS waits ON waits.id IN ${first}`;
  return db
    .update(events)
    .set({ waiting: false })
    .where(sql`${events.id} IN (SELECT id FROM (${longest}) WHERE place <= slots)`)
    .returning({ eventId: events.id, endpointId: events.endpointId, nextAttemptAt: events.nextAttemptAt });
}

export type Taken = Awaited<ReturnType<typeof takeWaiting>>[number];

/** An update returns its rows in no order. */
export function longestFirst(taken: readonly Taken[]): Taken[] {
  return taken.toSorted((left, right) => left.nextAttemptAt - right.nextAttemptAt);
}
