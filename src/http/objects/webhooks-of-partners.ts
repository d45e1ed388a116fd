import * as z from "zod";
import type { Actor } from "../../core/actor.ts";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { endpointIdOf } from "../../core/ids.ts";
import { limits } from "../../core/limits.ts";
import type { PartnerDeps } from "../../deps.ts";
import type { Caller } from "../../partners/authenticate.ts";
import { admit } from "../../partners/change-counts.ts";
import { summaryOfWebhook } from "../../summaries/of-objects.ts";
import { listEndpoints, resumeManually, unregister } from "../../webhooks/admin/admin.ts";
import { eventNames, sendTestEvent } from "../../webhooks/admin/test-event.ts";
import { sweepDeliveries } from "../../webhooks/delivery/sweep.ts";
import { addEndpoint, changeEndpoint, removeEndpoint, rotateFurtherSecret } from "../../webhooks/endpoints/further.ts";
import { previousSecretsUntil, revealSecret } from "../../webhooks/endpoints/rotate-secret.ts";
import { findEndpoint } from "../../webhooks/endpoints/store.ts";
import { conflict, notFound } from "../calls/refusal.ts";
import { oneLine } from "../one-line.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { NO_WEBHOOK, resentAnswer, viewResent } from "./deliveries.ts";
import { summaryField } from "./rows.ts";
import { type Endpoint, viewWebhook, webhookName, webhookNamed, webhookView } from "./webhook-view.ts";

const explainedWebhook = webhookView.extend({
  summary: summaryField,
  says: z.string().describe("The summary in English"),
  previous_secret_until: z.string().nullable().describe("Until when the signing secret before the current one also signs"),
});

/** Whose days the sentences name. */
type Zoned = Pick<Caller, "timeZone">;
type Explained = Omit<Endpoint, "undelivered"> & Partial<Pick<Endpoint, "undelivered">>;

/** How many values of an example event a partner may set. */
const MAX_FIELDS = 20;

const byName = z.object({ webhook: webhookName });

const kindsField = z
  .array(z.enum(eventNames))
  .min(1, "must name at least one kind of event")
  .max(eventNames.length)
  .nullable()
  .describe("The kinds of events that it gets; null: all, those that come later too");
const nameField = oneLine(limits.webhooks.nameCharacters).describe("What you call it");
const urlField = z.string().describe("Where it gets the events");

const secretAnswer = z.object({
  webhook: z.string(),
  environment: environmentSchema,
  signing_secret: z.string(),
  created_at: z.string(),
  previous_valid_until: z.string().nullable().describe("Null if only this secret signs"),
});

/** @throws CallRefusal 409 for the first webhook of an environment, which operations register and change */
function requireFurther(code: string, instead: string): void {
  if (code === "") conflict(`This is the first webhook of its environment. ${instead}`);
}

/** What partners do with their webhooks: the first of each environment, which operation 10 registers, and those that they add. */
export const partnersWebhookCalls = [
  definePartnerCall({
    command: "webhooks show",
    path: "/partner/webhooks",
    permission: "webhook_config",
    forAgents: {
      tool: "list-partner-webhooks",
      hint: "Use it to answer whether events arrive, and why not: each webhook says what is wrong and what to do.",
    },
    summary: "Your registered webhooks: their state, since when and why they are suspended, and what waits",
    answer: z.object({ data: z.array(explainedWebhook), next: z.null() }),
    async run({ own, caller }) {
      const found = (await listEndpoints(own, caller.partnerId)).filter(({ channel }) => channel === null);
      return { data: await viewExplained(own, caller, found), next: null };
    },
  }),
  definePartnerCall({
    command: "webhooks add",
    method: "POST",
    path: "/partner/webhooks",
    permission: "webhook_config",
    needsPasskey: true,
    status: 201,
    summary: `Adds a webhook to the first one of an environment, with a secret of its own and the kinds of events that you choose: up to ${limits.webhooks.further}`,
    body: z.strictObject({ environment: environmentSchema, name: nameField, webhook_url: urlField, events: kindsField.default(null) }),
    positional: ["environment", "name", "webhook_url"],
    answer: explainedWebhook.extend({ signing_secret: z.string().describe("Its own; `webhooks secret` shows it again") }),
    example: "test bookkeeping https://books.example/hook --events Processor.payment.succeeded Processor.refund.succeeded",
    async run({ own, deps, caller, actor }, { body: { environment, name, webhook_url: url, events } }) {
      const terms = { name, url, kinds: events };
      const added = await addEndpoint({ ...own, settings: deps.settings }, { partnerId: caller.partnerId, environment }, terms, actor);
      if (added === null) {
        conflict(
          `You have added ${limits.webhooks.further} webhooks to the ${environment} environment, which is the limit: remove one first.`,
        );
      }
      return { ...(await viewOne(own, caller, added.endpoint)), signing_secret: added.secret };
    },
  }),
  definePartnerCall({
    command: "webhooks change",
    method: "PATCH",
    path: "/partner/webhooks/{webhook}",
    permission: "webhook_config",
    needsPasskey: true,
    summary: "Changes the name, the URL or the kinds of events of a webhook that you added; another URL resumes it",
    params: byName,
    body: z.strictObject({ name: nameField.optional(), webhook_url: urlField.optional(), events: kindsField.optional() }),
    answer: explainedWebhook,
    example: "test.k3f9a2 --events Processor.payment.succeeded",
    async run({ own, deps, caller, actor }, { params, body: { name, webhook_url: url, events } }) {
      const named = webhookNamed(caller.partnerId, params.webhook);
      requireFurther(named.code, "`register-partner-notifications-webhook` changes its URL; it gets all events.");
      const change = {
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url }),
        ...(events !== undefined && { kinds: events }),
      };
      const changed = await changeEndpoint({ ...own, settings: deps.settings }, named, change, actor);
      if (changed === undefined) notFound(NO_WEBHOOK);
      await sweepDeliveries(own);
      return viewOne(own, caller, changed);
    },
  }),
  definePartnerCall({
    command: "webhooks replace-secret",
    method: "POST",
    path: "/partner/webhooks/{webhook}/replace-secret",
    permission: "webhook_config",
    needsPasskey: true,
    summary: `Gives a webhook that you added a new signing secret; the one before it also signs for ${limits.rotation.days} days`,
    params: byName,
    body: z.strictObject({
      previous_secret_until: z.iso
        .datetime()
        .nullable()
        .optional()
        .describe(
          "As `GET /partner/webhooks` has it: only if no secret was replaced since, so that a repeat after a lost answer is no second change",
        ),
    }),
    answer: secretAnswer,
    example: "test.k3f9a2",
    async run({ own, caller, actor }, { params: { webhook }, body: { previous_secret_until: seen } }) {
      const named = webhookNamed(caller.partnerId, webhook);
      requireFurther(named.code, "`rotate-partner-webhook-secret` gives it a new secret.");
      const rotated = await rotateFurtherSecret(own, named, typeof seen === "string" ? Date.parse(seen) : seen, actor);
      if (rotated === "unknown") return notFound(NO_WEBHOOK);
      if (rotated === "changed_since") return conflict("Its secret was replaced since. `webhooks secret` shows the present one.");
      const { secret, previousValidUntil } = rotated;
      const { environment } = named;
      const created = isoTime(own.clock.now());
      return { webhook, environment, signing_secret: secret, created_at: created, previous_valid_until: isoTime(previousValidUntil) };
    },
  }),
  definePartnerCall({
    command: "webhooks resume",
    method: "POST",
    path: "/partner/webhooks/{webhook}/resume",
    permission: "webhook_config",
    summary: "Resumes a suspended webhook: it gets the events that were kept, and new ones",
    params: byName,
    answer: explainedWebhook,
    example: "live",
    async run({ own, caller, actor }, { params }) {
      const endpoint = await resumeManually(own, webhookNamed(caller.partnerId, params.webhook).id, actor, "by_partner");
      if (endpoint === undefined) notFound(NO_WEBHOOK);
      if (endpoint.status === "suspended") conflict(summaryOfWebhook(endpoint, caller.timeZone).en);
      return viewOne(own, caller, endpoint);
    },
  }),
  definePartnerCall({
    command: "webhooks unregister",
    method: "DELETE",
    path: "/partner/webhooks/{webhook}",
    permission: "webhook_config",
    needsPasskey: true,
    summary:
      "Unregisters the first webhook of an environment, whose events are kept until you register or resume it; removes one that you added",
    params: byName,
    answer: explainedWebhook,
    example: "test",
    async run({ own, caller, actor }, { params }) {
      const named = webhookNamed(caller.partnerId, params.webhook);
      if (named.code !== "") return removed(own, caller, named, actor);
      const endpoint = await unregister(own, named.id, actor);
      if (endpoint === undefined) notFound(NO_WEBHOOK);
      if (endpoint.suspensionReason !== "unregistered") conflict(summaryOfWebhook(endpoint, caller.timeZone).en);
      return viewOne(own, caller, endpoint);
    },
  }),
  definePartnerCall({
    command: "webhooks secret",
    method: "POST",
    path: "/partner/webhooks/{webhook}/secret",
    permission: "webhook_config",
    needsPasskey: true,
    summary: "Shows the current signing secret of a webhook, and until when the one before it also signs",
    params: byName,
    answer: secretAnswer,
    example: "test",
    async run({ own, caller, actor }, { params: { webhook } }) {
      const { id, environment } = webhookNamed(caller.partnerId, webhook);
      const found = (await revealSecret(own, id, actor)) ?? notFound(NO_WEBHOOK);
      return {
        webhook,
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
    path: "/partner/webhooks/{webhook}/test",
    permission: "webhook_config",
    summary: "Sends an example event to your webhook, marked `test_event`, and shows what your receiver answered",
    params: byName,
    body: z.strictObject({
      event: z.enum(eventNames).default("Processor.payment.succeeded").describe("The kind of event; default Processor.payment.succeeded"),
      fields: z
        .record(z.string().max(100), z.union([z.string().max(200), z.number(), z.boolean(), z.null()]))
        .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `must have at most ${MAX_FIELDS} fields`)
        .default({})
        .describe('Values instead of those of the example, by their paths: `{"transaction.client_reference_id": "order-7"}`'),
    }),
    answer: resentAnswer.extend({
      attempt: resentAnswer.shape.attempt.nullable().describe("Null if you have registered no webhook: the event is only in the list"),
    }),
    example: "test --event Processor.refund.succeeded",
    async run({ own, caller, actor }, { params, body }) {
      const { id, environment, code } = webhookNamed(caller.partnerId, params.webhook);
      if (code !== "" && (await findEndpoint(own.db, id)) === undefined) notFound(NO_WEBHOOK);
      await admit(own, "testEvent", endpointIdOf(caller.partnerId, environment));
      const wanted = { environment, code, name: body.event, fields: body.fields };
      const { event, result } = await sendTestEvent(own, caller, wanted, actor);
      return result.outcome === "no_endpoint" ? { success: true, event, attempt: null } : viewResent(event, result, "partner");
    },
  }),
];

const REMOVED = {
  en: "You removed it: nothing is sent to it any more. Its events are in the list.",
  ru: "Вы удалили его: больше на него ничего не отправляется. Его события есть в списке.",
};

/** Removes a webhook that the partner added. @throws CallRefusal 404; 409 for one that support suspended */
async function removed(
  own: PartnerDeps,
  caller: Zoned,
  named: ReturnType<typeof webhookNamed>,
  actor: Actor,
): Promise<z.input<typeof explainedWebhook>> {
  const endpoint = (await findEndpoint(own.db, named.id)) ?? notFound(NO_WEBHOOK);
  const left = await removeEndpoint(own, named, actor);
  if (left !== undefined) conflict(summaryOfWebhook(left, caller.timeZone).en);
  return { ...(await viewOne(own, caller, endpoint)), summary: REMOVED, says: REMOVED.en };
}

async function viewOne(own: PartnerDeps, caller: Zoned, endpoint: Explained): Promise<z.input<typeof explainedWebhook>> {
  const [view] = await viewExplained(own, caller, [endpoint]);
  if (view === undefined) throw new Error("one webhook has one view");
  return view;
}

async function viewExplained(
  own: PartnerDeps,
  { timeZone }: Zoned,
  endpoints: readonly Explained[],
): Promise<z.input<typeof explainedWebhook>[]> {
  const until = await previousSecretsUntil(
    own,
    endpoints.map(({ id }) => id),
  );
  const now = own.clock.now();
  return endpoints.map((endpoint) => {
    const summary = summaryOfWebhook(endpoint, timeZone);
    return {
      ...viewWebhook(endpoint, now),
      summary,
      says: summary.en,
      previous_secret_until: isoTimeOrNull(until.get(endpoint.id) ?? null),
    };
  });
}
