import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { endpointNameIn } from "../../core/ids.ts";
import { stateOfWebhook, webhookStates } from "../../core/object-states.ts";
import type { listEndpoints } from "../../webhooks/admin/admin.ts";
import { kindsOf } from "../../webhooks/endpoints/further.ts";

export type Endpoint = Awaited<ReturnType<typeof listEndpoints>>[number];
/** An endpoint that was just changed has no counts. */
type Changed = Omit<Endpoint, "undelivered"> & Partial<Pick<Endpoint, "undelivered">>;

const time = z.string().nullable();

/** A webhook, without its secrets. */
export const webhookView = z.object({
  webhook: z.string().describe("By which calls name it: its environment, or for one that you added its environment and code"),
  environment: environmentSchema,
  name: z.string().nullable().describe("Your name for a webhook that you added; null for the first one of the environment"),
  events: z.array(z.string()).nullable().describe("The kinds of events that it gets; null: all"),
  webhook_url: z.string(),
  state: z.enum(webhookStates).describe("`failing`: every attempt since `failing_since` has failed"),
  status: z.enum(["active", "suspended"]),
  suspension_reason: z.string().nullable(),
  suspended_at: time,
  failing_since: time,
  cooldown_until: time,
  registered_at: z.string(),
  undelivered: z.record(z.string(), z.int()).optional().describe("The number of undelivered events by state"),
});

/** A webhook for operators. */
export const ownedWebhook = webhookView.extend({ id: z.string(), partner_id: z.string() });

/** A webhook at the time `now`. */
export function viewWebhook(endpoint: Changed, now: number): z.input<typeof ownedWebhook> {
  const { undelivered } = endpoint;
  return {
    id: endpoint.id,
    partner_id: endpoint.partnerId,
    webhook: endpointNameIn(endpoint.id),
    environment: endpoint.environment,
    name: endpoint.name,
    events: kindsOf(endpoint),
    webhook_url: endpoint.url,
    state: stateOfWebhook(endpoint),
    status: endpoint.status,
    suspension_reason: endpoint.suspensionReason,
    suspended_at: isoTimeOrNull(endpoint.suspendedAt),
    failing_since: isoTimeOrNull(endpoint.failingSince),
    cooldown_until: endpoint.cooldownUntil > now ? isoTime(endpoint.cooldownUntil) : null,
    registered_at: isoTime(endpoint.createdAt),
    ...(undelivered && { undelivered: Object.fromEntries(undelivered.map(({ state, count }) => [state, count])) }),
  };
}

/** The state of a webhook in words for its partner, with the cure. */
export function explainWebhook({ suspensionReason, suspendedAt, failingSince, cooldownUntil }: Changed, now: number): string {
  const since = suspendedAt === null ? "" : ` since ${isoTime(suspendedAt)}`;
  const kept = "Its events are kept, and are sent when you resume it or register it again.";
  switch (suspensionReason) {
    case "gone":
      return `It is suspended${since}, because your receiver answered 410 Gone. ${kept}`;
    case "failing":
      return `It is suspended${since}, because every attempt failed for days. ${kept}`;
    case "unregistered":
      return `You unregistered it${since}. ${kept}`;
    case "operator":
      return `Support suspended it${since}. Ask support why; only they can resume it. Its events are kept.`;
    case "partner_disabled":
      return `It is suspended${since}, because your account was disabled. Its events are kept.`;
    case null:
      break;
  }
  if (failingSince === null) return "It gets your events.";
  const pause = cooldownUntil > now ? ` The next attempt is at ${isoTime(cooldownUntil)}.` : "";
  return `Attempts have failed since ${isoTime(failingSince)}. \`GET /partner/deliveries\` shows what your receiver answered.${pause}`;
}
