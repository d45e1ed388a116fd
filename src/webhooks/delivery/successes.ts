import { and, eq, gt, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { type Cell, inList } from "../../db/client.ts";
import { endpoints, events } from "../../db/schema/webhooks.ts";
import { newlyDue } from "../outbox/store.ts";
import { type EndedAttempt, insertAttempts, longestFirst, takeWaiting } from "./attempts.ts";
import { MAX_CONCURRENT_ATTEMPTS } from "./endpoint-health.ts";
import { noticesOfSuccess, recordNotices } from "./notices.ts";

/**
 * Records successful deliveries, even if the sweep has released them, unless another consumer is sending one now.
 * Failing endpoints become healthy again, unless the attempt was manual. One D1 round trip.
 * @returns for each, in order, the waiting deliveries to send next: together as many as their endpoints have free
 * slots, and the deliveries of notices about a recovery.
 */
export async function recordSuccesses(db: Cell, successes: readonly EndedAttempt[]): Promise<string[][]> {
  const slots = new Map<string, number>();
  for (const { claimed } of successes) {
    const freed = claimed.failingSince !== null ? MAX_CONCURRENT_ATTEMPTS : 1;
    slots.set(claimed.endpointId, Math.min(MAX_CONCURRENT_ATTEMPTS, (slots.get(claimed.endpointId) ?? 0) + freed));
  }
  const notices = await noticesOfSuccess(successes);
  const endedAt = Math.max(...successes.map(({ result }) => result.endedAt));
  const [, , taken, ...recorded] = await db.batch([
    insertAttempts(db, successes),
    db
      .update(events)
      .set({ state: "succeeded", waiting: false, claimedAt: null, stateBeforeResend: null })
      .where(
        and(
          inArray(events.id, inList(successes.map(({ claimed }) => claimed.deliveryId))),
          or(inArray(events.state, ["pending", "suspended", "exhausted"]), holdsOneOf(successes)),
        ),
      ),
    takeWaiting(db, slots),
    ...recordNotices(db, notices, endedAt),
    heal(db, successes),
  ]);
  const due = newlyDue(recorded.flat());
  const next = Map.groupBy(longestFirst(taken), ({ endpointId }) => endpointId);
  return successes.map(({ claimed: { endpointId } }, index) => {
    const ofEndpoint = next.get(endpointId) ?? [];
    const isLast = successes.findLastIndex(({ claimed }) => claimed.endpointId === endpointId) === index;
    // Each continues with one delivery; the last one gets the rest.
    const mine = isLast ? ofEndpoint.splice(0) : ofEndpoint.splice(0, 1);
    return [...mine.map(({ eventId }) => eventId), ...(index === successes.length - 1 ? due : [])];
  });
}

/** Whether a delivery is being sent under the claim of one of these attempts. */
function holdsOneOf(successes: readonly EndedAttempt[]): SQL {
  const claims = JSON.stringify(successes.map(({ claimed: { deliveryId, claimedAt } }) => [deliveryId, claimedAt]));
  return sql`(${events.state} = 'sending' AND EXISTS (SELECT 1 FROM json_each(${claims})
    WHERE value ->> 0 = ${events.id} AND value ->> 1 = ${events.claimedAt}))`;
}

/**
 * Endpoints that took a delivery become healthy, if they are active, have the same revision as when the attempt
 * started, and have not failed after it ended. A cooldown that started during the attempt stays.
 */
function heal(db: Cell, successes: readonly EndedAttempt[]) {
  const scheduled = successes.filter(({ claimed }) => !claimed.manual);
  const proofs = JSON.stringify(
    scheduled.map(({ claimed: { endpointId, revision, claimedAt }, result }) => [endpointId, revision, claimedAt, result.endedAt]),
  );
  const proof = sql`SELECT 1 FROM json_each(${proofs}) WHERE value ->> 0 = ${endpoints.id} AND value ->> 1 = ${endpoints.revision}`;
  const hasRecovered = sql`EXISTS (${proof} AND ${endpoints.failingSince} <= value ->> 3)`;
  const isOver = sql`EXISTS (${proof} AND (${endpoints.failingSince} <= value ->> 2 OR ${endpoints.cooldownUntil} <= value ->> 3))`;
  return db
    .update(endpoints)
    .set({
      failingSince: sql`CASE WHEN ${hasRecovered} THEN NULL ELSE ${endpoints.failingSince} END`,
      failures: sql`CASE WHEN ${hasRecovered} THEN 0 ELSE ${endpoints.failures} END`,
      cooldownUntil: sql`CASE WHEN ${isOver} THEN 0 ELSE ${endpoints.cooldownUntil} END`,
    })
    .where(
      and(
        inArray(endpoints.id, inList(scheduled.map(({ claimed }) => claimed.endpointId))),
        eq(endpoints.status, "active"),
        or(isNotNull(endpoints.failingSince), gt(endpoints.cooldownUntil, 0)),
        sql`EXISTS (${proof})`,
      ),
    );
}
