import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { endpointIdOf, endpointNameIn } from "../../core/ids.ts";
import { isHeld, stateOfWebhook, webhookStates } from "../../core/object-states.ts";
import type { listEndpoints } from "../../webhooks/admin/admin.ts";
import { kindsOf } from "../../webhooks/endpoints/further.ts";
import { wire } from "../wire.ts";

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

const fieldsOf = wire(ownedWebhook.omit({ undelivered: true }));

/** A webhook at the time `now`. */
export function viewWebhook(endpoint: Changed, now: number): z.input<typeof ownedWebhook> {
  const { undelivered } = endpoint;
  return {
    ...fieldsOf(endpoint),
    webhook: endpointNameIn(endpoint.id),
    events: kindsOf(endpoint),
    webhook_url: endpoint.url,
    state: stateOfWebhook(endpoint),
    is_held: isHeld(endpoint),
    cooldown_until: endpoint.cooldownUntil > now ? isoTime(endpoint.cooldownUntil) : null,
    registered_at: isoTime(endpoint.createdAt),
    ...(undelivered && { undelivered: Object.fromEntries(undelivered.map(({ state, count }) => [state, count])) }),
  };
}

/** How a partner names one of its webhooks: the first one by its environment, a further one by environment and code. */
export const webhookName = z
  .string()
  .regex(/^(?:live|test)(?:\.[0-9a-z]{6})?$/, "must be `live` or `test`, or the name of a webhook that you added, such as `live.k3f9a2`")
  .describe("`live` or `test`: the webhook that `register-partner-notifications-webhook` registered; `live.k3f9a2`: one that you added");

/** Where events go: a webhook, the chat, or an e-mail address. */
export const destinationName = z
  .string()
  .regex(
    /^(live|test)(\.\w{4,6})?$/,
    "must be the name of a webhook, such as `live` or `live.k3f9a2`, `live.chat` for your chat, or that of an e-mail address",
  )
  .describe("A webhook: `live`, `live.k3f9a2`; the chat: `live.chat`; an address: `live.0a1b2`");

/** The webhook with this name. */
export function webhookNamed(partnerId: string, name: string) {
  const [of, code = ""] = name.split(".");
  const environment = environmentSchema.parse(of);
  return { id: endpointIdOf(partnerId, environment, code), environment, code, partnerId };
}
