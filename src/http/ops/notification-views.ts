import { isoTime } from "../../core/clock.ts";
import type { overseeDeliveries, overseeEndpoints, showDelivery } from "../../notifications/oversight.ts";

type Endpoint = NonNullable<Awaited<ReturnType<typeof overseeEndpoints>>>[number];
type Delivery = NonNullable<Awaited<ReturnType<typeof overseeDeliveries>>>[number];
type Attempt = NonNullable<Awaited<ReturnType<typeof showDelivery>>>["attemptList"][number];

const timeOrNull = (moment: number | null): string | null => (moment === null ? null : isoTime(moment));

/** An endpoint as operators see it now, never with a secret. */
export function viewEndpoint(endpoint: Omit<Endpoint, "undelivered"> & Partial<Pick<Endpoint, "undelivered">>, now: number) {
  return {
    id: endpoint.id,
    partner_id: endpoint.partnerId,
    environment: endpoint.environment,
    webhook_url: endpoint.url,
    status: endpoint.status,
    suspended_for: endpoint.suspendedFor,
    suspended_at: timeOrNull(endpoint.suspendedAt),
    failing_since: timeOrNull(endpoint.failingSince),
    rests_until: endpoint.restUntil > now ? isoTime(endpoint.restUntil) : null,
    registered_at: isoTime(endpoint.createdAt),
    ...(endpoint.undelivered && {
      undelivered: Object.fromEntries(endpoint.undelivered.map(({ state, count }) => [state, count])),
    }),
  };
}

/** An event and how far its delivery is; without an endpoint there is none. */
export function viewDelivery(delivery: Delivery) {
  return {
    event: delivery.eventId,
    type: delivery.name,
    environment: delivery.environment,
    partner_id: delivery.partnerId,
    created_at: isoTime(delivery.createdAt),
    endpoint: delivery.endpointId,
    state: delivery.state,
    attempts: delivery.attempts ?? 0,
    next_attempt_at: delivery.state === "pending" ? timeOrNull(delivery.nextAttemptAt) : null,
  };
}

/** An attempt; `answer` is the beginning of what the receiver said, which its partner may want to hear. */
export function viewAttempt(attempt: Attempt) {
  return {
    number: attempt.number,
    at: isoTime(attempt.at),
    status: attempt.status,
    error: attempt.errorClass,
    duration_ms: attempt.durationMs,
    by_hand: attempt.byHand,
    answer: attempt.excerpt,
  };
}
