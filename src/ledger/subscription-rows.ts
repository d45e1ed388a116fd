import type { Environment } from "../core/environment.ts";
import type { Statement } from "../db/client.ts";
import type { SubscriptionFacts } from "../processor/facts.ts";
import { differsFromStored, isNotSuperseded, upsertSubscription } from "../subscriptions/store.ts";
import type { PartnerEvent } from "../webhooks/outbox/events/define-event.ts";
import { type SubscriptionEvent, subscriptionEvents } from "../webhooks/outbox/events/subscription-events.ts";
import { type OutboxDeps, recordEvent } from "../webhooks/outbox/record-event.ts";
import { upsertProcessorObject } from "./objects-store.ts";

interface SubscriptionRefresh {
  readonly facts: SubscriptionFacts;
  readonly environment: Environment;
  readonly partnerId: string | null;
  readonly paymentLinkId: string | null;
  readonly asOf: number;
  readonly now: number;
}

/**
 * The rows to write for a subscription, and the events for its partner. `subscription.started` and `subscription.ended`
 * are sent once each. `subscription.updated` is sent whenever the status or the scheduled end differs from the stored
 * one. A payment of the subscription refreshes it too, since the subscription's own events may be lost. A subscription
 * spans many payments, so its object belongs to none of them.
 */
export function subscriptionRows(
  deps: Pick<OutboxDeps, "db">,
  { facts, environment, partnerId, paymentLinkId, asOf, now }: SubscriptionRefresh,
): { readonly rows: Statement[]; readonly events: PartnerEvent[] } {
  const eventOf = (definition: SubscriptionEvent, discriminator: string | null) =>
    partnerId === null ? null : definition.make({ ...facts, partnerId, environment, discriminator });
  const phase = phaseOf(facts.status);
  const started = phase === "running" ? eventOf(subscriptionEvents.started, null) : null;
  const updated = phase === "running" ? eventOf(subscriptionEvents.updated, String(asOf)) : null;
  const ended = phase === "ended" ? eventOf(subscriptionEvents.ended, null) : null;
  return {
    rows: [
      ...(updated === null ? [] : recordEvent(deps, updated, now, differsFromStored(facts, asOf))),
      ...[started, ended].flatMap((event) => (event === null ? [] : recordEvent(deps, event, now, isNotSuperseded(facts, asOf)))),
      upsertProcessorObject(deps.db, facts.object, environment, null, asOf),
      upsertSubscription(deps.db, { facts, environment, partnerId, paymentLinkId, asOf }),
    ],
    events: [started, updated, ended].flatMap((event) => event ?? []),
  };
}

/**
 * A subscription has not started while its first payment is outstanding, and may never start. In `paused`, `past_due`
 * and similar statuses, it has started.
 */
function phaseOf(status: string): "waiting" | "running" | "ended" {
  if (status === "incomplete" || status === "incomplete_expired") return "waiting";
  return status === "canceled" ? "ended" : "running";
}
