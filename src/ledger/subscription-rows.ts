import { sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import type { SubscriptionFacts } from "../processor/facts.ts";
import {
  differsFromStored,
  isLatestSubscription,
  isSubscriptionCurrent,
  isSubscriptionEventUnreported,
  upsertSubscription,
} from "../subscriptions/store.ts";
import { type SubscriptionEvent, subscriptionEvents } from "../webhooks/outbox/events/subscription-events.ts";
import { isRecorded, recordEvent } from "../webhooks/outbox/store.ts";
import type { Attribution } from "./attribution.ts";

interface SubscriptionRefresh {
  readonly facts: SubscriptionFacts;
  readonly environment: Environment;
  readonly attribution: Attribution;
  readonly paymentLinkId: string | null;
  readonly subscriptionReferenceId: string | null;
  readonly settledInvoiceId: string | null;
  readonly asOf: number;
  readonly now: number;
}

/**
 * The rows to write for a subscription and the events for its partner. `subscription.started` and `subscription.ended`
 * are sent once each. `subscription.updated` is sent when the status, the scheduled end, the items or the collection
 * differ from the stored ones, and once for each renewal that was settled without a payment, because no payment event
 * reports it. A payment of the subscription refreshes it too, since the subscription's own events may be lost.
 */
export async function subscriptionRows(db: Database, refresh: SubscriptionRefresh): Promise<Statement[]> {
  const {
    facts,
    environment,
    attribution,
    paymentLinkId,
    subscriptionReferenceId: clientReferenceId,
    settledInvoiceId,
    asOf,
    now,
  } = refresh;
  const { partnerId } = attribution;
  const make = async (definition: SubscriptionEvent, discriminator: string | null) =>
    partnerId === null
      ? null
      : definition.make(attribution.idCode, { ...facts, paymentLinkId, clientReferenceId, partnerId, environment, discriminator });
  const phase = phaseOf(facts.status);
  const isRunning = phase === "running";
  const changed = isRunning ? await make(subscriptionEvents.updated, String(asOf)) : null;
  const settled = isRunning && settledInvoiceId !== null ? await make(subscriptionEvents.updated, `invoice:${settledInvoiceId}`) : null;
  // Once each: the start while it runs, and the end.
  const once = phase === "waiting" ? null : await make(isRunning ? subscriptionEvents.started : subscriptionEvents.ended, null);
  const isCurrent = isSubscriptionCurrent(facts, asOf);
  const differs = differsFromStored(facts, asOf);
  // The event of a settled renewal also reports a change, unless it was recorded before the change.
  const isChange = settled === null ? differs : sql`${differs} AND ${isRecorded(settled)}`;
  return [
    ...(changed === null ? [] : [recordEvent(db, changed, now, isChange)]),
    // An update that a later refresh has overtaken is looked up again, and then reports the current state.
    ...(settled === null ? [] : [recordEvent(db, settled, now, isLatestSubscription(facts, asOf))]),
    ...(once === null ? [] : [recordEvent(db, once, now, sql`${isCurrent} AND ${isSubscriptionEventUnreported(facts, once.kind)}`)]),
    upsertSubscription(
      db,
      { facts, environment, partnerId, paymentLinkId, clientReferenceId, asOf },
      once === null ? [] : [{ name: once.kind, isRecorded: isRecorded(once) }],
    ),
  ];
}

/**
 * A subscription has not started while its first payment is outstanding, and may never start. In `paused`, `past_due`
 * and similar statuses, it has started.
 */
function phaseOf(status: string): "waiting" | "running" | "ended" {
  if (status === "incomplete" || status === "incomplete_expired") return "waiting";
  return status === "canceled" ? "ended" : "running";
}
