import { and, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Database, inList, type Statement } from "../db/client.ts";
import { missingIds } from "../db/missing-ids.ts";
import { firstEvents, listsEvent, type RowEvent, withEvents } from "../db/recorded-events.ts";
import { subscriptions } from "../db/schema/subscriptions.ts";
import { firstNonNull, maxOf, newest } from "../db/upsert.ts";
import type { SubscriptionFacts } from "../processor/facts.ts";
import { priceOf, storedPrices } from "./items.ts";

interface SubscriptionSnapshot {
  readonly facts: SubscriptionFacts;
  readonly environment: Environment;
  readonly partnerId: string | null;
  readonly paymentLinkId: string | null;
  readonly clientReferenceId: string | null;
  /** Time of the processor call, in Unix milliseconds. */
  readonly asOf: number;
}

/** SQL for the link that started a subscription; NULL if this database does not know it. */
export const linkOfSubscription = (id: string): SQL =>
  sql`(SELECT ${subscriptions.paymentLinkId} FROM ${subscriptions} WHERE ${subscriptions.id} = ${id})`;

/**
 * Stores the subscription in the processor's state at `asOf`, unless a later refresh is already stored. A known owner
 * and a known start never change. The row lists those `events` that are recorded by then.
 */
export function upsertSubscription(
  db: Database,
  { facts, environment, partnerId, paymentLinkId, clientReferenceId, asOf }: SubscriptionSnapshot,
  events: readonly RowEvent[] = [],
): Statement {
  const { id, status, startedAt, endedAt, cancelAtPeriodEnd, cancelAt, currentPeriodEnd, collectionPaused } = facts;
  const { updatedAt } = subscriptions;
  return db
    .insert(subscriptions)
    .values({
      id,
      environment,
      partnerId,
      paymentLinkId,
      clientReferenceId,
      status,
      startedAt,
      endedAt,
      cancelAtPeriodEnd,
      cancelAt,
      currentPeriodEnd,
      collectionPaused,
      items: storedPrices(facts.items),
      currency: facts.currency,
      amount: priceOf(facts.items),
      interval: facts.interval,
      intervalCount: facts.intervalCount,
      recordedEvents: firstEvents(events),
      updatedAt: asOf,
    })
    .onConflictDoUpdate({
      target: subscriptions.id,
      set: {
        status: newest(subscriptions.status, updatedAt),
        startedAt: newest(subscriptions.startedAt, updatedAt),
        endedAt: newest(subscriptions.endedAt, updatedAt),
        cancelAtPeriodEnd: newest(subscriptions.cancelAtPeriodEnd, updatedAt),
        cancelAt: newest(subscriptions.cancelAt, updatedAt),
        currentPeriodEnd: newest(subscriptions.currentPeriodEnd, updatedAt),
        collectionPaused: newest(subscriptions.collectionPaused, updatedAt),
        items: newest(subscriptions.items, updatedAt),
        currency: newest(subscriptions.currency, updatedAt),
        amount: newest(subscriptions.amount, updatedAt),
        interval: newest(subscriptions.interval, updatedAt),
        intervalCount: newest(subscriptions.intervalCount, updatedAt),
        partnerId: firstNonNull(subscriptions.partnerId),
        paymentLinkId: firstNonNull(subscriptions.paymentLinkId),
        clientReferenceId: firstNonNull(subscriptions.clientReferenceId),
        recordedEvents: withEvents(subscriptions.recordedEvents, events),
        updatedAt: maxOf(updatedAt),
      },
    })
    .returning({ seen: subscriptions.id, seenAt: subscriptions.updatedAt });
}

/**
 * True if an earlier refresh stored the started subscription with another status, another scheduled end, other items,
 * or another collection state. This condition must run in the batch that stores the new refresh, before that write:
 * then, of two refreshes that see one change, only one reports it.
 */
export function differsFromStored(facts: SubscriptionFacts, asOf: number): SQL {
  const { id, status, cancelAtPeriodEnd, cancelAt, collectionPaused } = facts;
  const stored = subscriptions;
  const now = storedPrices(facts.items);
  return sql`EXISTS (SELECT 1 FROM ${stored} WHERE ${stored.id} = ${id} AND ${stored.updatedAt} <= ${asOf} AND ${stored.status} NOT LIKE 'incomplete%' AND (${stored.status}, ${stored.cancelAtPeriodEnd}, ${stored.cancelAt}, ${stored.collectionPaused}, ${stored.items}) IS NOT (${status}, ${cancelAtPeriodEnd ? 1 : 0}, ${cancelAt}, ${collectionPaused ? 1 : 0}, ${now}))`;
}

/** True unless a later refresh has stored another status: then this status is superseded. */
export function isSubscriptionCurrent({ id, status }: SubscriptionFacts, asOf: number): SQL {
  const stored = subscriptions;
  return sql`NOT EXISTS (SELECT 1 FROM ${stored} WHERE ${stored.id} = ${id} AND ${stored.updatedAt} > ${asOf} AND ${stored.status} <> ${status})`;
}

/** True unless a later refresh is stored. */
export function isLatestSubscription({ id }: SubscriptionFacts, asOf: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${subscriptions.id} = ${id} AND ${subscriptions.updatedAt} > ${asOf})`;
}

/** True unless the event was already recorded for the subscription. */
export function isSubscriptionEventUnreported({ id }: SubscriptionFacts, name: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${subscriptions.id} = ${id} AND ${listsEvent(subscriptions.recordedEvents, name)})`;
}

/** The subscriptions with an order reference, for an erasure. By index. */
export async function subscriptionsByReference(db: Database, reference: string) {
  const { id, environment, partnerId, clientReferenceId } = subscriptions;
  const rows = await db.select({ id, environment, partnerId }).from(subscriptions).where(eq(clientReferenceId, reference)).all();
  return rows.map(({ id: subscriptionId, ...rest }) => ({ ...rest, subscriptionId, paymentIntentId: null }));
}

/** Query for the known owner of a subscription, its start, and the time of its latest refresh: one row or none. */
export function ownerOfSubscription(db: Database, id: string) {
  const { partnerId, updatedAt, paymentLinkId, clientReferenceId } = subscriptions;
  return db.select({ partnerId, latest: updatedAt, paymentLinkId, clientReferenceId }).from(subscriptions).where(eq(subscriptions.id, id));
}

/**
 * Deletes these subscriptions, because another database has their state at `asOf` (Unix milliseconds). Later ones stay.
 */
export function deleteSubscriptions(db: Database, ids: readonly string[], asOf: number): Statement {
  return db.delete(subscriptions).where(and(inArray(subscriptions.id, inList(ids)), lte(subscriptions.updatedAt, asOf)));
}

/** Some subscriptions of a database, in id order: in the directory, of those without a known owner. */
export async function subscriptionsAfter(db: Database, id: string, limit: number) {
  const { environment } = subscriptions;
  const next = db.select({ id: subscriptions.id, environment }).from(subscriptions).where(gt(subscriptions.id, id));
  return next.orderBy(subscriptions.id).limit(limit).all();
}

/** The ids that are not stored. */
export function missingSubscriptions(db: Database, ids: readonly string[]): Promise<Set<string>> {
  return missingIds(db, subscriptions, ids);
}
