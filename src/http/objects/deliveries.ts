import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { type Environment, environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { endpointIdOf, endpointIn, endpointNameIn, eventInDelivery, MAIL_CODE_LENGTH } from "../../core/ids.ts";
import { jsonObjectSchema, parseJson } from "../../core/json.ts";
import { findPartner } from "../../partners/admin/partners.ts";
import type { RowOf } from "../../partners/list-of-all.ts";
import { type ResendResult, resendEvent } from "../../webhooks/admin/resend.ts";
import { countRestartable, oldestExhausted, RESTART_LIMIT, restartChosen, restartDeliveries } from "../../webhooks/admin/restart.ts";
import { deliverySelections } from "../../webhooks/admin/search-deliveries.ts";
import { signedNow } from "../../webhooks/admin/signed-now.ts";
import { readDelivery } from "../../webhooks/admin/store.ts";
import { eventNames } from "../../webhooks/admin/test-event.ts";
import { attemptErrors, deliveryStates } from "../../webhooks/endpoints/delivery-state.ts";
import { findEndpoint } from "../../webhooks/endpoints/store.ts";
import { listOf } from "../calls/lists.ts";
import { momentField, startOf } from "../calls/moments.ts";
import { conflict, notFound } from "../calls/refusal.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { wire } from "../wire.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { type Asked, byPartner, type Missing, ownDeps, requireRow, rowQuery } from "./rows.ts";
import { newestPage, SELECTION_WEIGHT, selectionCount, selectionPage, sortQuery } from "./selection.ts";
import { destinationName, webhookName, webhookNamed } from "./webhook-view.ts";

type Delivery = RowOf<typeof deliverySelections>;
type Attempt = NonNullable<Awaited<ReturnType<typeof readDelivery>>>["attemptList"][number];

/** An event, and the state of its delivery. */
export const deliveryView = z.object({
  event: z.string(),
  delivery: z.string().describe("The event's id; for a webhook that you added, with its code"),
  webhook: z.string().describe("The webhook that it goes to: its environment, for one that you added with its code"),
  type: z.string(),
  environment: environmentSchema,
  created_at: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  next_attempt_at: z.string().nullable(),
  last_status: z.int().nullable().describe("The HTTP status that the last attempt got; null without an answer, and before the first"),
  last_error: z.enum(attemptErrors).nullable().describe("Why the last attempt failed; null for one that was taken"),
  about: z.string().nullable().describe("The order, or the subscription, that it tells of"),
});

const owner = { partner_id: z.string(), endpoint: z.string() };
const listedDelivery = deliveryView.extend(owner);

const fieldsOf = wire(listedDelivery);

export const viewDelivery = (delivery: Omit<Delivery, "id" | "value">) => ({
  ...fieldsOf(delivery),
  event: eventInDelivery(delivery.deliveryId),
  delivery: delivery.deliveryId,
  webhook: endpointNameIn(delivery.endpointId),
  type: delivery.name,
  endpoint: delivery.endpointId,
  next_attempt_at: delivery.state === "pending" ? isoTimeOrNull(delivery.nextAttemptAt) : null,
});

const attemptView = z.object({
  number: z.int(),
  at: z.string(),
  status: z.int().nullable(),
  error: z.enum(attemptErrors).nullable(),
  duration_ms: z.int(),
  manual: z.boolean(),
  answer: z.string().nullable().describe("The start of the receiver's answer"),
});

const fieldsOfAttempt = wire(attemptView);

const viewAttempt = (attempt: Attempt): z.input<typeof attemptView> => ({
  ...fieldsOfAttempt(attempt),
  error: attempt.errorClass,
  answer: attempt.excerpt,
});

/** An event as it is sent, with all attempts to deliver it. */
const deliveryDetail = deliveryView.extend({
  may_be_resent: z.boolean().describe("Whether it can be sent again. A message to an e-mail address goes once"),
  attempt_list: z.array(attemptView).describe("Oldest first"),
  message: z.record(z.string(), z.unknown()).describe("The event's body"),
  request: z
    .object({
      url: z.string().nullable().describe("The registered URL; null if none is registered"),
      headers: z
        .record(z.string(), z.string())
        .nullable()
        .describe("As they would be sent now, with valid signatures; null without a URL, and for an operator"),
      body: z.string().describe("The signed text, byte for byte"),
    })
    .describe("What an attempt would send now. Nothing is sent"),
});

/** The answer to a resend. */
export const resentAnswer = z.object({
  success: z.boolean().describe("Whether the receiver accepted it"),
  event: z.string(),
  attempt: attemptView.pick({ number: true, status: true, error: true, answer: true }),
});

const NO_EVENT = {
  partner: "You have no such event. `GET /partner/deliveries` lists your events.",
  operator: "There is no such event. `deliveries list` shows all.",
};

/** The refusal of a call about a webhook that is not registered. */
export const NO_WEBHOOK = "You have registered no webhook for this environment. `register-partner-notifications-webhook` registers one.";

const NOT_SENT: Readonly<Record<"no_endpoint" | "held", Missing>> = {
  no_endpoint: {
    partner: "You have registered no webhook for this environment. Register one, then resend the event.",
    operator: "Its partner has registered no webhook for that environment.",
  },
  held: {
    partner: "Support suspended this webhook: nothing is sent to it. `GET /partner/webhooks` says since when.",
    operator: "The webhook is suspended.",
  },
};

/** @throws CallRefusal if the event was not sent, in the words for the audience. */
export function viewResent(event: string, resent: ResendResult, audience: keyof Missing): z.input<typeof resentAnswer> {
  switch (resent.outcome) {
    case "sent": {
      const { number, result } = resent;
      const attempt = { number, status: result.status, error: result.errorClass, answer: result.excerpt };
      return { success: result.errorClass === null, event, attempt };
    }
    case "in_progress":
      return conflict("An attempt to deliver this event is in progress. Look at its result in a few seconds.");
    case "no_endpoint":
    case "held":
      return conflict(NOT_SENT[resent.outcome][audience]);
    case "unknown_event":
      return notFound(NO_EVENT[audience]);
  }
}

/** The event, if the asker may see it. @throws CallRefusal 404 */
const requireEvent = (asker: Asker, event: string) =>
  requireRow(
    asker,
    ({ db }) => readDelivery(db, event),
    (find) => asker.deps.findById(event, find),
    NO_EVENT,
  );

/**
 * The request that the next attempt at an event would be. An operator gets no signature, and no address while the partner's current
 * cell is unreachable: the event may be in an earlier one.
 */
async function requestNow(asker: Asker, event: NonNullable<Awaited<ReturnType<typeof readDelivery>>>) {
  const { partner, deps } = asker;
  if (partner !== null && !partner.isOperator) return signedNow(deps, partner.own.db, event);
  const own = await ownDeps(asker, event.partnerId);
  const endpoint = await deps.askDatabase(own.databaseName, () => findEndpoint(own.db, event.endpointId));
  return { url: endpoint?.url ?? null, headers: null };
}

interface OfOwner {
  readonly partner?: string | undefined;
  readonly environment?: string | undefined;
}

/**
 * The partner and the environment of the webhook that an operator names.
 * @throws ServiceFailure `invalid_input`; CallRefusal 404 for one that was never registered
 */
async function ofEndpoint(asker: Asker, id: string | undefined, { partner, environment }: OfOwner) {
  if (id === undefined) return {};
  if (partner !== undefined || environment !== undefined) rejectInput("endpoint: goes without `partner` and `environment`", "endpoint");
  const found = endpointIn(id) ?? rejectInput("endpoint: must be the id of a webhook, such as ep_acme_live", "endpoint");
  const own = await ownDeps(asker, found.partnerId);
  // Null: the partner's current cell is unreachable, and an earlier one may have its events.
  const known = await asker.deps.askDatabase(own.databaseName, () => findEndpoint(own.db, id));
  if (known === undefined) notFound("There is no such webhook. `endpoints list --partner <id>` shows a partner's.");
  return { partner: found.partnerId, environment: found.environment, code: found.code };
}

/** The webhook that a partner names in the query of a list. */
function ofWebhook(name: string | undefined, environment: Environment | undefined) {
  if (name === undefined) return {};
  const named = webhookNamed("", name);
  if (environment !== undefined && named.environment !== environment)
    rejectInput(`webhook: ${name} is of the ${named.environment} environment, and not of ${environment}`, "webhook");
  return { environment: named.environment, code: named.code };
}

/** The query fields by which deliveries are searched. */
export const deliverySearch = {
  state: z.enum(deliveryStates).optional().describe("Only in this state: `exhausted` events are no longer sent by themselves"),
  event: z.enum(eventNames).optional().describe("Only events of this kind"),
  webhook: destinationName.optional(),
};

type AskedDeliveries = Asked & z.output<z.ZodObject<typeof deliverySearch>> & { readonly code?: string };

/** @throws ServiceFailure `invalid_input` for a webhook of no partner, or of another environment */
function listingOf(asker: Asker, { state, event, webhook, code, ...asked }: AskedDeliveries) {
  if (webhook !== undefined && asker.partner === null && asked.partner === undefined)
    rejectInput("webhook: each partner has its own; name the `partner` too, or the `endpoint`", "webhook");
  const of = { code, ...asked, ...ofWebhook(webhook, asked.environment) };
  return {
    asked: of,
    filter: { state, name: event, code: of.code },
    view: (rows: readonly Delivery[]) => rows.map(viewDelivery),
  };
}

export const deliveriesPage = async (asker: Asker, asked: AskedDeliveries) =>
  newestPage(asker, deliverySelections, listingOf(asker, asked));

const NEWEST = "-created_at";

/** How many deliveries one call restarts by their ids. */
const MAX_CHOSEN = 100;

export const deliveryCalls = [
  defineForBoth({
    query: rowQuery.extend(deliverySearch).extend(sortQuery(deliverySelections, NEWEST)),
    partner: {
      command: "deliveries list",
      path: "/partner/deliveries",
      permission: "webhook_config",
      weight: SELECTION_WEIGHT,
      forAgents: {
        tool: "list-partner-deliveries",
        hint: "Use it for events that did not arrive (state exhausted or suspended), or the event of a payment.",
        without: ["sort"],
      },
      summary: "Your events with the state of their delivery, newest first",
      answer: listOf(deliveryView).extend(selectionCount),
      example: "--environment test --state exhausted",
    },
    operator: {
      role: "any",
      summary: "Events with their delivery state, newest first: of a webhook, of a partner, or of all",
      filters: { ...byPartner, endpoint: z.string().optional().describe("Only of this webhook: `ep_…`") },
      answer: listOf(listedDelivery).extend(selectionCount),
      example: "--endpoint ep_acme_live --state pending",
    },
    async run(asker, { query: { endpoint, sort, ...query } }) {
      const asked = { ...query, ...(await ofEndpoint(asker, endpoint, query)) };
      return selectionPage(asker, deliverySelections, listingOf(asker, asked), { sort, usual: NEWEST });
    },
  }),
  defineForBoth({
    partner: {
      command: "deliveries show",
      path: "/partner/deliveries/{event}",
      permission: "webhook_config",
      forAgents: {
        tool: "get-partner-delivery",
        hint: "Use it for one event by its id: its message, and what the receiver answered each time.",
      },
      summary: "An event, every attempt to deliver it, and its request with a new signature",
      answer: deliveryDetail,
      example: "evt_0123…",
    },
    operator: { role: "any", summary: "An event as it is sent, with all its delivery attempts", answer: deliveryDetail.extend(owner) },
    async run(asker, { params }) {
      const { found } = await requireEvent(asker, params.event);
      const { url, headers } = await requestNow(asker, found);
      return {
        ...viewDelivery(found),
        may_be_resent: endpointIn(found.endpointId)?.code.length !== MAIL_CODE_LENGTH,
        attempt_list: found.attemptList.map(viewAttempt),
        message: parseJson(jsonObjectSchema, found.body),
        request: { url, headers, body: found.body },
      };
    },
  }),
  definePartnerCall({
    command: "deliveries resend-exhausted",
    method: "POST",
    path: "/partner/deliveries/resend",
    permission: "webhook_config",
    summary: `Restarts the schedule of deliveries that were given up, or that wait for their next attempt, oldest first: up to ${RESTART_LIMIT.toLocaleString("en")}, once an hour`,
    query: z.object({
      environment: environmentSchema,
      webhook: webhookName.optional().describe("Only a webhook that you added; left out: the first one of the environment"),
      state: z
        .enum(["exhausted", "pending"])
        .default("exhausted")
        .describe("`exhausted`: those that were given up; `pending`: those that wait, for example after you have repaired your receiver"),
      since: momentField.optional().describe("Only events since this time, or since the start of this date"),
    }),
    answer: z.object({
      success: z.boolean(),
      restarted: z.int().describe("They are sent in the background; `GET /partner/webhooks` shows how many are pending"),
      left: z.int().describe("Such deliveries that remain: call again in an hour"),
    }),
    example: "--environment test --since 2026-11-01",
    async run({ own, caller, actor }, { query: { environment, webhook, state, since: asked } }) {
      const since = asked === undefined ? 0 : startOf(asked, caller.timeZone);
      const { code = "" } = ofWebhook(webhook, environment);
      const id = endpointIdOf(caller.partnerId, environment, code);
      const from = caller.earlier.map(({ cell }) => cell);
      if (from.length > 0 && state === "exhausted")
        await own.pullRows({ from, to: caller.cell }, "events", caller.partnerId, oldestExhausted(id, since));
      const done = (await restartDeliveries(own, id, actor, { state, since, isLimited: true })) ?? notFound(NO_WEBHOOK);
      if (done.outcome === "suspended") conflict("This webhook is suspended: resume it first. `GET /partner/webhooks` says why.");
      if (done.outcome === "too_soon") conflict(`You restarted deliveries less than an hour ago. Call again at ${isoTime(done.at)}.`);
      const left = await own.data.each(({ db }) => countRestartable(db, id, state, since));
      return { success: true, restarted: done.restarted, left: left.reduce((sum, one) => sum + one, 0) };
    },
  }),
  definePartnerCall({
    command: "deliveries resend-chosen",
    method: "POST",
    path: "/partner/deliveries/resend-chosen",
    permission: "webhook_config",
    summary: "Restarts the schedule of deliveries that you name: they are sent in the background",
    body: z.strictObject({
      deliveries: z
        .array(z.string().max(60))
        .min(1, "must name at least one delivery")
        .max(MAX_CHOSEN)
        .describe(`The ids of up to ${MAX_CHOSEN} deliveries, as \`GET /partner/deliveries\` has them`),
    }),
    answer: z.object({
      success: z.boolean(),
      restarted: z.array(z.string()),
      unchanged: z
        .array(z.string())
        .describe("Those that are not yours, that are being sent or wait already, that are tests, or whose webhook is suspended"),
    }),
    example: "--deliveries evt_0123… evt_4567…",
    async run({ own, caller, actor }, { body: { deliveries } }) {
      const from = caller.earlier.map(({ cell }) => cell);
      const chosen = `id IN (SELECT value FROM json_each(?2))`;
      const wanted = { where: chosen, parameters: [JSON.stringify(deliveries)] };
      if (from.length > 0) await own.pullRows({ from, to: caller.cell }, "events", caller.partnerId, wanted);
      const restarted = await restartChosen(own, caller.partnerId, deliveries, actor);
      const isRestarted = new Set(restarted);
      return { success: true, restarted, unchanged: deliveries.filter((id) => !isRestarted.has(id)) };
    },
  }),
  defineForBoth({
    method: "POST",
    partner: {
      command: "deliveries resend",
      path: "/partner/deliveries/{event}/resend",
      permission: "webhook_config",
      summary: "Sends an event again now, whatever its state, and shows what your receiver answered",
      answer: resentAnswer,
      example: "evt_0123…",
    },
    operator: { role: "support", summary: "Resends an event now, and shows the receiver's answer" },
    async run(asker, { params: { event } }) {
      const known = await requireEvent(asker, event);
      const { partnerId } = known.found;
      const audience = asker.partner === null ? "operator" : "partner";
      if (asker.partner === null && (await findPartner(asker.deps.directory, partnerId))?.status === "disabled")
        conflict(`Its partner is disabled. \`partners enable ${partnerId}\` comes first.`);
      const { cell } = await asker.deps.pullToCurrentCell("events", event, known);
      if (endpointIn(known.found.endpointId)?.code.length === MAIL_CODE_LENGTH) conflict("A message by e-mail is not sent again.");
      return viewResent(event, await resendEvent(cell, event, asker.actor, audience), audience);
    },
  }),
];
