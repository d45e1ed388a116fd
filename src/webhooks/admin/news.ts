import { and, asc, gt, inArray, lte, sql } from "drizzle-orm";
import type { Environment } from "../../core/environment.ts";
import type { Cell } from "../../db/client.ts";
import { endpoints, events } from "../../db/schema/webhooks.ts";
import { isFirstDelivery, isRealEvent } from "../endpoints/real-event.ts";

/** Something that partners' chats are notified of: an event, or a webhook that the service suspended. */
export interface News {
  readonly partnerId: string;
  readonly environment: Environment;
  /** Unix milliseconds. */
  readonly at: number;
  readonly subject:
    | { readonly kind: "event"; readonly name: string; readonly payload: string }
    | { readonly kind: "suspended"; readonly reason: "gone" | "failing" };
}

/** The names of these events. The text is that of the partial index. */
const IS_TOLD = sql`name IN ('Bank.payment.succeeded', 'Processor.payment_method.refused')`;

/**
 * The news of a cell after one time, up to another (Unix milliseconds), oldest first: at most `limit` of each kind.
 * `until`: no news up to then are missing. One D1 round trip, by partial indexes.
 */
export async function newsBetween(db: Cell, from: number, to: number, limit: number): Promise<{ news: News[]; until: number }> {
  const { partnerId, environment, name, payload, createdAt } = events;
  // The first condition is that of the partial index of unhealthy endpoints.
  const isUnhealthy = sql`(status = 'suspended' OR failing_since IS NOT NULL OR cooldown_until > 0)`;
  const reason = endpoints.suspensionReason;
  const [recorded, suspended] = await db.batch([
    db
      .select({ partnerId, environment, at: createdAt, name, payload })
      .from(events)
      .where(and(IS_TOLD, gt(createdAt, from), lte(createdAt, to), isRealEvent, isFirstDelivery))
      .orderBy(asc(createdAt))
      .limit(limit),
    db
      .select({ partnerId: endpoints.partnerId, environment: endpoints.environment, at: endpoints.updatedAt, reason })
      .from(endpoints)
      .where(and(isUnhealthy, gt(endpoints.updatedAt, from), lte(endpoints.updatedAt, to), inArray(reason, ["gone", "failing"])))
      .orderBy(asc(endpoints.updatedAt))
      .limit(limit),
  ]);
  const news: News[] = recorded.map(({ name: called, payload: text, ...of }) => ({
    ...of,
    subject: { kind: "event", name: called, payload: text },
  }));
  for (const { reason: why, ...of } of suspended) {
    if (why === "gone" || why === "failing") news.push({ ...of, subject: { kind: "suspended", reason: why } });
  }
  const ends = [recorded, suspended].flatMap((rows) => (rows.length < limit ? [] : (rows.at(-1)?.at ?? [])));
  const until = Math.min(to, ...ends);
  return { news: news.filter(({ at }) => at <= until).toSorted((left, right) => left.at - right.at), until };
}
