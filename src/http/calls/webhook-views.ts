import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import type { getDelivery, listDeliveries, listEndpoints } from "../../webhooks/admin/admin.ts";

type Endpoint = NonNullable<Awaited<ReturnType<typeof listEndpoints>>>[number];
type Delivery = NonNullable<Awaited<ReturnType<typeof listDeliveries>>>[number];
type Attempt = NonNullable<Awaited<ReturnType<typeof getDelivery>>>["attemptList"][number];

const time = z.string().nullable();

export const endpointAnswer = z.object({
  id: z.string(),
  partner_id: z.string(),
  environment: environmentSchema,
  webhook_url: z.string(),
  status: z.enum(["active", "suspended"]),
  suspension_reason: z.string().nullable(),
  suspended_at: time,
  failing_since: time,
  cooldown_until: time,
  registered_at: z.string(),
  undelivered: z.record(z.string(), z.int()).optional().describe("The number of undelivered events by state"),
});

export const deliveryAnswer = z.object({
  event: z.string(),
  type: z.string(),
  environment: environmentSchema,
  partner_id: z.string(),
  created_at: z.string(),
  endpoint: z.string(),
  state: z.string(),
  attempts: z.int(),
  next_attempt_at: time,
});

export const attemptAnswer = z.object({
  number: z.int(),
  at: z.string(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
  manual: z.boolean(),
  answer: z.string().nullable().describe("The start of the receiver's answer"),
});

/** An endpoint for operators at the time `now`, without secrets. */
export function viewEndpoint(endpoint: Omit<Endpoint, "undelivered"> & Partial<Pick<Endpoint, "undelivered">>, now: number) {
  return {
    id: endpoint.id,
    partner_id: endpoint.partnerId,
    environment: endpoint.environment,
    webhook_url: endpoint.url,
    status: endpoint.status,
    suspension_reason: endpoint.suspensionReason,
    suspended_at: isoTimeOrNull(endpoint.suspendedAt),
    failing_since: isoTimeOrNull(endpoint.failingSince),
    cooldown_until: endpoint.cooldownUntil > now ? isoTime(endpoint.cooldownUntil) : null,
    registered_at: isoTime(endpoint.createdAt),
    ...(endpoint.undelivered && {
      undelivered: Object.fromEntries(endpoint.undelivered.map(({ state, count }) => [state, count])),
    }),
  };
}

/** An event and the state of its delivery. */
export function viewDelivery(delivery: Delivery) {
  return {
    event: delivery.eventId,
    type: delivery.name,
    environment: delivery.environment,
    partner_id: delivery.partnerId,
    created_at: isoTime(delivery.createdAt),
    endpoint: delivery.endpointId,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: delivery.state === "pending" ? isoTimeOrNull(delivery.nextAttemptAt) : null,
  };
}

/** An attempt. `answer` is the start of the receiver's response, which the partner may ask for. */
export function viewAttempt(attempt: Attempt) {
  return {
    number: attempt.number,
    at: isoTime(attempt.at),
    status: attempt.status,
    error: attempt.errorClass,
    duration_ms: attempt.durationMs,
    manual: attempt.manual,
    answer: attempt.excerpt,
  };
}
