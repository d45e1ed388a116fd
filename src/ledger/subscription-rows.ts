import { isoTime } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import type { Statement } from "../db/client.ts";
import { type PartnerEvent, type SubscriptionEventName, subscriptionEvent } from "../notifications/events.ts";
import { type OutboxTools, recordEvent } from "../notifications/outbox.ts";
import type { SubscriptionFacts } from "../processor/facts.ts";
import { isNews, storedOtherwise, upsertSubscription } from "../subscriptions/store.ts";
import { upsertProcessorObject } from "./objects-store.ts";

interface SubscriptionLook {
  readonly facts: SubscriptionFacts;
  readonly environment: Environment;
  readonly partnerId: string | null;
  readonly paymentLinkId: string | null;
  readonly asOf: number;
  readonly now: number;
}

/**
 * What is stored of a subscription, and what its partner is told: that it has begun and that it has ended once each,
 * and in between whenever the end it is set to, or its status, is not what was stored. It is heard of by its payments
 * too, since an event of its own may be lost; it spans many of them, so its object belongs to none.
 */
export function subscriptionRows(
  tools: Pick<OutboxTools, "db">,
  { facts, environment, partnerId, paymentLinkId, asOf, now }: SubscriptionLook,
): { readonly rows: Statement[]; readonly told: PartnerEvent[] } {
  const tell = (name: SubscriptionEventName, occasion: string | null) =>
    partnerId === null ? null : subscriptionEvent(name, partnerId, environment, shown(facts), occasion);
  const phase = phaseOf(facts.status);
  const started = phase === "running" ? tell("subscription.started", null) : null;
  const updated = phase === "running" ? tell("subscription.updated", String(asOf)) : null;
  const ended = phase === "ended" ? tell("subscription.ended", null) : null;
  return {
    rows: [
      ...(updated === null ? [] : recordEvent(tools, updated, now, storedOtherwise(facts, asOf))),
      ...[started, ended].flatMap((event) => (event === null ? [] : recordEvent(tools, event, now, isNews(facts, asOf)))),
      upsertProcessorObject(tools.db, facts.object, environment, null, asOf),
      upsertSubscription(tools.db, { facts, environment, partnerId, paymentLinkId, asOf }),
    ],
    told: [started, updated, ended].flatMap((event) => event ?? []),
  };
}

/** A subscription whose first payment is still out has not begun, and may never; `paused`, `past_due` and the like have. */
function phaseOf(status: string): "waiting" | "running" | "ended" {
  if (status === "incomplete" || status === "incomplete_expired") return "waiting";
  return status === "canceled" ? "ended" : "running";
}

/** A subscription as its events show it. */
function shown({ id, status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd }: SubscriptionFacts) {
  return {
    id,
    status,
    cancel_at_period_end: cancelAtPeriodEnd,
    cancel_at: cancelAt === null ? null : isoTime(cancelAt),
    current_period_end: currentPeriodEnd === null ? null : isoTime(currentPeriodEnd),
  };
}
