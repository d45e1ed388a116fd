import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { endpointNameIn } from "../../core/ids.ts";
import { stateOfWebhook, webhookStates } from "../../core/object-states.ts";
import type { listEndpoints } from "../../webhooks/admin/admin.ts";
import { kindsOf } from "../../webhooks/endpoints/further.ts";
import { isHeld } from "../../webhooks/endpoints/store.ts";

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
  suspension_note: z.string().nullable().describe("Why support suspended it"),
  suspended_at: time,
  is_held: z.boolean().describe("Whether support alone resumes it, and it cannot be removed before"),
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
    suspension_note: endpoint.suspensionNote,
    suspended_at: isoTimeOrNull(endpoint.suspendedAt),
    is_held: isHeld(endpoint),
    failing_since: isoTimeOrNull(endpoint.failingSince),
    cooldown_until: endpoint.cooldownUntil > now ? isoTime(endpoint.cooldownUntil) : null,
    registered_at: isoTime(endpoint.createdAt),
    ...(undelivered && { undelivered: Object.fromEntries(undelivered.map(({ state, count }) => [state, count])) }),
  };
}
