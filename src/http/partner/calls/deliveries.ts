import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { endpointIdOf } from "../../../core/ids.ts";
import { jsonObjectSchema, parseJson } from "../../../core/json.ts";
import { inEach } from "../../../partners/both-environments.ts";
import { getDelivery } from "../../../webhooks/admin/admin.ts";
import { resendEvent } from "../../../webhooks/admin/resend.ts";
import { countExhausted, oldestExhausted, RESTART_LIMIT, restartExhausted } from "../../../webhooks/admin/restart.ts";
import { searchDeliveries } from "../../../webhooks/admin/search-deliveries.ts";
import { signedNow } from "../../../webhooks/admin/signed-now.ts";
import { eventNames } from "../../../webhooks/admin/test-event.ts";
import { deliveryStates } from "../../../webhooks/endpoints/delivery-state.ts";
import { listEnvironment, listOf, viewPage } from "../../calls/lists.ts";
import { pageKeyIn, pageQuery, periodOf, periodQuery, timeField } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { attemptAnswer, viewAttempt } from "../../calls/webhook-views.ts";
import { definePartnerCall, type PartnerContext } from "../define-call.ts";
import { deliveryView, NO_WEBHOOK, resentAnswer, viewOwnDelivery, viewResent } from "../delivery-views.ts";

const NO_EVENT = "You have no such event. `GET /partner/deliveries` lists your events.";

/** The event, and the newest cell that has it. @throws CallRefusal 404 for another partner's event, as for an unknown one. */
async function requireEvent({ own, caller }: PartnerContext, event: string) {
  const answers = await own.data.each(async (cell) => ({ cell, found: await getDelivery(cell, event) }));
  for (const { cell, found } of answers) if (found?.partnerId === caller.partnerId) return { cell, found };
  return notFound(NO_EVENT);
}

export const deliveryCalls = [
  definePartnerCall({
    command: "deliveries list",
    method: "GET",
    path: "/partner/deliveries",
    permission: "webhook_config",
    summary: "Your events with the state of their delivery, newest first",
    query: z.object({
      environment: listEnvironment,
      state: z.enum(deliveryStates).optional().describe("Only in this state: `exhausted` events are no longer sent by themselves"),
      event: z.enum(eventNames).optional().describe("Only events of this kind"),
      ...periodQuery,
      ...pageQuery,
    }),
    answer: listOf(deliveryView),
    example: "--environment test --state exhausted",
    async run({ own, caller }, { query: { environment, state, event, limit, cursor, ...period } }) {
      const wanted = { ...periodOf(period), state, name: event };
      const before = pageKeyIn(cursor);
      const page = await inEach({ environment, limit }, (one) =>
        searchDeliveries(own.data, { ...wanted, endpointId: endpointIdOf(caller.partnerId, one) }, before, limit),
      );
      return viewPage(page, viewOwnDelivery);
    },
  }),
  definePartnerCall({
    command: "deliveries show",
    method: "GET",
    path: "/partner/deliveries/{event}",
    permission: "webhook_config",
    summary: "An event, every attempt to deliver it, and its request with a new signature",
    answer: deliveryView.extend({
      attempt_list: z.array(attemptAnswer),
      message: z.record(z.string(), z.unknown()).describe("The event's body"),
      request: z
        .object({
          url: z.string().nullable().describe("Your registered URL; null if you have registered none"),
          headers: z
            .record(z.string(), z.string())
            .nullable()
            .describe("As they would be sent now, with valid signatures; null without a URL, and for an operator who looks at it"),
          body: z.string().describe("The signed text, byte for byte"),
        })
        .describe("What an attempt would send now. Nothing is sent"),
    }),
    example: "evt_0123…",
    async run(context, { params }) {
      const { found } = await requireEvent(context, params.event);
      const { url, headers } = await signedNow(context.own, context.own.db, found);
      return {
        ...viewOwnDelivery(found),
        attempt_list: found.attemptList.map(viewAttempt),
        message: parseJson(jsonObjectSchema, found.body),
        request: { url, headers: context.isOperator ? null : headers, body: found.body },
      };
    },
  }),
  definePartnerCall({
    command: "deliveries resend-exhausted",
    method: "POST",
    path: "/partner/deliveries/resend",
    permission: "webhook_config",
    summary: `Restarts the schedule of exhausted deliveries, oldest first: up to ${RESTART_LIMIT.toLocaleString("en")}, once an hour`,
    query: z.object({
      environment: environmentSchema,
      state: z.literal("exhausted").default("exhausted").describe("Only exhausted deliveries are restarted"),
      since: timeField.optional().describe("Only events since this date or time"),
    }),
    answer: z.object({
      success: z.boolean(),
      restarted: z.int().describe("They are sent in the background; `GET /partner/webhooks` shows how many are pending"),
      left: z.int().describe("Exhausted deliveries that remain: call again in an hour"),
    }),
    example: "--environment test --since 2026-11-01",
    async run({ own, caller, actor }, { query: { environment, since = 0 } }) {
      const id = endpointIdOf(caller.partnerId, environment);
      const from = caller.earlier.map(({ cell }) => cell);
      if (from.length > 0) await own.pullRows({ from, to: caller.cell }, "events", caller.partnerId, oldestExhausted(id, since));
      const done = (await restartExhausted(own, id, actor, since)) ?? notFound(NO_WEBHOOK);
      if (done.outcome === "suspended") conflict("This webhook is suspended: resume it first. `GET /partner/webhooks` says why.");
      if (done.outcome === "too_soon") conflict(`You restarted deliveries less than an hour ago. Call again at ${isoTime(done.at)}.`);
      const left = await own.data.each(({ db }) => countExhausted(db, id, since));
      return { success: true, restarted: done.restarted, left: left.reduce((sum, one) => sum + one, 0) };
    },
  }),
  definePartnerCall({
    command: "deliveries resend",
    method: "POST",
    path: "/partner/deliveries/{event}/resend",
    permission: "webhook_config",
    summary: "Sends an event again now, whatever its state, and shows what your receiver answered",
    answer: resentAnswer,
    example: "evt_0123…",
    async run(context, { params }) {
      const known = await requireEvent(context, params.event);
      const { cell } = await context.deps.pullToCurrentCell("events", params.event, known);
      return viewResent(params.event, await resendEvent(cell, params.event, context.actor, "partner"));
    },
  }),
];
