import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { endpointIdOf } from "../../../core/ids.ts";
import type { PartnerDeps } from "../../../deps.ts";
import { admitTestEvent } from "../../../partners/change-counts.ts";
import { listEndpoints, resumeManually, unregister } from "../../../webhooks/admin/admin.ts";
import { eventNames, sendTestEvent } from "../../../webhooks/admin/test-event.ts";
import { previousSecretsUntil, revealSecret } from "../../../webhooks/endpoints/rotate-secret.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { endpointAnswer, viewEndpoint } from "../../calls/webhook-views.ts";
import { definePartnerCall } from "../define-call.ts";
import { NO_WEBHOOK, resentAnswer, viewResent } from "../delivery-views.ts";

type Endpoint = Parameters<typeof viewEndpoint>[0];

const webhookView = endpointAnswer.omit({ id: true, partner_id: true }).extend({
  says: z.string().describe("How it is, and what to do if it gets nothing"),
  previous_secret_until: z.string().nullable().describe("Until when the signing secret before the current one also signs"),
});

type WebhookView = z.input<typeof webhookView>;

const byEnvironment = z.object({ environment: environmentSchema });

export const webhookCalls = [
  definePartnerCall({
    command: "webhooks show",
    method: "GET",
    path: "/partner/webhooks",
    permission: "webhook_config",
    summary: "Your registered webhooks: their state, since when and why they are suspended, and what waits",
    answer: z.object({ data: z.array(webhookView), next: z.null() }),
    example: "",
    async run({ own, caller }) {
      const found = await listEndpoints(own, caller.partnerId);
      return { data: await viewWebhooks(own, found), next: null };
    },
  }),
  definePartnerCall({
    command: "webhooks resume",
    method: "POST",
    path: "/partner/webhooks/{environment}/resume",
    permission: "webhook_config",
    summary: "Resumes a suspended webhook: it gets the events that were kept, and new ones",
    params: byEnvironment,
    answer: webhookView,
    example: "live",
    async run({ own, caller, actor }, { params }) {
      const endpoint = await resumeManually(own, endpointIdOf(caller.partnerId, params.environment), actor, "by_partner");
      if (endpoint === undefined) notFound(NO_WEBHOOK);
      if (endpoint.status === "suspended") conflict(explain(endpoint, own.clock.now()));
      return viewWebhook(own, endpoint);
    },
  }),
  definePartnerCall({
    command: "webhooks unregister",
    method: "DELETE",
    path: "/partner/webhooks/{environment}",
    permission: "webhook_config",
    summary: "Unregisters a webhook: nothing is sent to it until you register or resume it, and its events are kept",
    params: byEnvironment,
    answer: webhookView,
    example: "test",
    async run({ own, caller, actor }, { params }) {
      const endpoint = await unregister(own, endpointIdOf(caller.partnerId, params.environment), actor);
      if (endpoint === undefined) notFound(NO_WEBHOOK);
      if (endpoint.suspensionReason !== "unregistered") conflict(explain(endpoint, own.clock.now()));
      return viewWebhook(own, endpoint);
    },
  }),
  definePartnerCall({
    command: "webhooks secret",
    method: "POST",
    path: "/partner/webhooks/{environment}/secret",
    permission: "webhook_config",
    needsPasskey: true,
    summary: "Shows the current signing secret of a webhook, and until when the one before it also signs",
    params: byEnvironment,
    answer: z.object({
      environment: environmentSchema,
      signing_secret: z.string(),
      created_at: z.string(),
      previous_valid_until: z.string().nullable().describe("Null if only this secret signs"),
    }),
    example: "test",
    async run({ own, caller, actor }, { params: { environment } }) {
      const found = (await revealSecret(own, caller.partnerId, environment, actor)) ?? notFound(NO_WEBHOOK);
      return {
        environment,
        signing_secret: found.secret,
        created_at: isoTime(found.createdAt),
        previous_valid_until: isoTimeOrNull(found.previousValidUntil),
      };
    },
  }),
  definePartnerCall({
    command: "webhooks test",
    method: "POST",
    path: "/partner/webhooks/{environment}/test",
    permission: "webhook_config",
    summary: "Sends an example event to your webhook, marked `test_event`, and shows what your receiver answered",
    params: byEnvironment,
    body: z.strictObject({
      event: z.enum(eventNames).default("Processor.payment.succeeded").describe("The kind of event; default Processor.payment.succeeded"),
    }),
    answer: resentAnswer.extend({
      attempt: resentAnswer.shape.attempt.nullable().describe("Null if you have registered no webhook: the event is only in the list"),
    }),
    example: "test --event Processor.refund.succeeded",
    async run({ own, caller, actor }, { params, body }) {
      await admitTestEvent(own, endpointIdOf(caller.partnerId, params.environment));
      const wanted = { environment: params.environment, name: body.event };
      const { event, result } = await sendTestEvent(own, caller, wanted, actor);
      return result.outcome === "no_endpoint" ? { success: true, event, attempt: null } : viewResent(event, result);
    },
  }),
];

async function viewWebhook(own: PartnerDeps, endpoint: Endpoint): Promise<WebhookView> {
  const [view] = await viewWebhooks(own, [endpoint]);
  if (view === undefined) throw new Error("one webhook has one view");
  return view;
}

async function viewWebhooks(own: PartnerDeps, endpoints: readonly Endpoint[]): Promise<WebhookView[]> {
  const ids = endpoints.map(({ id }) => id);
  const until = await previousSecretsUntil(own, ids);
  const now = own.clock.now();
  return endpoints.map((endpoint) => {
    const { id, partner_id: _partner, ...view } = viewEndpoint(endpoint, now);
    return { ...view, says: explain(endpoint, now), previous_secret_until: isoTimeOrNull(until.get(id) ?? null) };
  });
}

/** The state of a webhook in words, with the cure. */
function explain({ suspensionReason, suspendedAt, failingSince, cooldownUntil }: Endpoint, now: number): string {
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
