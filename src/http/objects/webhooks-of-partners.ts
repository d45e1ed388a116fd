import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { endpointIdOf } from "../../core/ids.ts";
import type { PartnerDeps } from "../../deps.ts";
import { admitTestEvent } from "../../partners/change-counts.ts";
import { listEndpoints, resumeManually, unregister } from "../../webhooks/admin/admin.ts";
import { eventNames, sendTestEvent } from "../../webhooks/admin/test-event.ts";
import { previousSecretsUntil, revealSecret } from "../../webhooks/endpoints/rotate-secret.ts";
import { conflict, notFound } from "../calls/refusal.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { NO_WEBHOOK, resentAnswer, viewResent } from "./deliveries.ts";
import { type Endpoint, explainWebhook, viewWebhook, webhookView } from "./webhook-view.ts";

const explainedWebhook = webhookView.extend({
  says: z.string().describe("How it is, and what to do if it gets nothing"),
  previous_secret_until: z.string().nullable().describe("Until when the signing secret before the current one also signs"),
});

type Explained = Omit<Endpoint, "undelivered"> & Partial<Pick<Endpoint, "undelivered">>;

const byEnvironment = z.object({ environment: environmentSchema });

/** What partners do with their webhooks: one of each environment. */
export const partnersWebhookCalls = [
  definePartnerCall({
    command: "webhooks show",
    method: "GET",
    path: "/partner/webhooks",
    permission: "webhook_config",
    forAgents: { tool: "list-partner-webhooks" },
    summary: "Your registered webhooks: their state, since when and why they are suspended, and what waits",
    answer: z.object({ data: z.array(explainedWebhook), next: z.null() }),
    example: "",
    async run({ own, caller }) {
      const found = await listEndpoints(own, caller.partnerId);
      return { data: await viewExplained(own, found), next: null };
    },
  }),
  definePartnerCall({
    command: "webhooks resume",
    method: "POST",
    path: "/partner/webhooks/{environment}/resume",
    permission: "webhook_config",
    summary: "Resumes a suspended webhook: it gets the events that were kept, and new ones",
    params: byEnvironment,
    answer: explainedWebhook,
    example: "live",
    async run({ own, caller, actor }, { params }) {
      const endpoint = await resumeManually(own, endpointIdOf(caller.partnerId, params.environment), actor, "by_partner");
      if (endpoint === undefined) notFound(NO_WEBHOOK);
      if (endpoint.status === "suspended") conflict(explainWebhook(endpoint, own.clock.now()));
      return viewOne(own, endpoint);
    },
  }),
  definePartnerCall({
    command: "webhooks unregister",
    method: "DELETE",
    path: "/partner/webhooks/{environment}",
    permission: "webhook_config",
    summary: "Unregisters a webhook: nothing is sent to it until you register or resume it, and its events are kept",
    params: byEnvironment,
    answer: explainedWebhook,
    example: "test",
    async run({ own, caller, actor }, { params }) {
      const endpoint = await unregister(own, endpointIdOf(caller.partnerId, params.environment), actor);
      if (endpoint === undefined) notFound(NO_WEBHOOK);
      if (endpoint.suspensionReason !== "unregistered") conflict(explainWebhook(endpoint, own.clock.now()));
      return viewOne(own, endpoint);
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
      return result.outcome === "no_endpoint" ? { success: true, event, attempt: null } : viewResent(event, result, "partner");
    },
  }),
];

async function viewOne(own: PartnerDeps, endpoint: Explained): Promise<z.input<typeof explainedWebhook>> {
  const [view] = await viewExplained(own, [endpoint]);
  if (view === undefined) throw new Error("one webhook has one view");
  return view;
}

async function viewExplained(own: PartnerDeps, endpoints: readonly Explained[]): Promise<z.input<typeof explainedWebhook>[]> {
  const until = await previousSecretsUntil(
    own,
    endpoints.map(({ id }) => id),
  );
  const now = own.clock.now();
  return endpoints.map((endpoint) => ({
    ...viewWebhook(endpoint, now),
    says: explainWebhook(endpoint, now),
    previous_secret_until: isoTimeOrNull(until.get(endpoint.id) ?? null),
  }));
}
