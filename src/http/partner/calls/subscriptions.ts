import * as z from "zod";
import { isoTime, SECOND } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { cancelByPerson } from "../../../subscriptions/cancel-by-person.ts";
import { findOwnSubscription, listSubscriptions } from "../../../subscriptions/list-subscriptions.ts";
import { listOf } from "../../calls/lists.ts";
import { subscriptionView, viewSubscription } from "../../calls/object-views.ts";
import { encodeCursor, keyIn, pageQuery, textKey } from "../../calls/paging.ts";
import { notFound } from "../../calls/refusal.ts";
import { subscriptionId } from "../../schemas.ts";
import { definePartnerCall } from "../define-call.ts";

/** The end of a subscription as the processor answers it, in Unix seconds. */
const changedSchema = z.object({ cancel_at: z.int().nullable() });

export const subscriptionCalls = [
  definePartnerCall({
    command: "subscriptions list",
    method: "GET",
    path: "/partner/subscriptions",
    permission: "balance_view",
    summary: "Your subscriptions with their status, in the order of their ids",
    query: z.object({
      environment: environmentSchema.default("live"),
      status: z.string().min(1).optional().describe("Only with this status of the processor"),
      ...pageQuery,
    }),
    answer: listOf(subscriptionView),
    example: "--environment test --status active",
    async run({ own, caller }, { query: { limit, cursor, ...wanted } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      const { environment, status } = wanted;
      const { rows, next } = await listSubscriptions(own.db, { partnerId: caller.partnerId, environment, status, after, limit });
      return { data: rows.map(viewSubscription), next: next === null ? null : encodeCursor([next]) };
    },
  }),
  definePartnerCall({
    command: "subscriptions cancel",
    method: "PUT",
    path: "/partner/subscriptions/{subscription}/cancel-at-period-end",
    permission: "signed_in",
    summary: "Schedules the end of a subscription at the end of its paid period, or cancels that schedule, as operation 4 does",
    params: z.object({ subscription: subscriptionId }),
    body: z.strictObject({ cancel_at_period_end: z.boolean() }),
    answer: z.object({ subscription_id: z.string(), cancel_at_period_end: z.boolean(), cancel_at: z.string().nullable() }),
    example: "",
    async run({ own, caller, actor }, { params, body }) {
      const change = { subscriptionId: params.subscription, cancelAtPeriodEnd: body.cancel_at_period_end };
      const changed = await cancelByPerson(own, caller, change, actor);
      const { cancel_at } = changedSchema.parse(changed);
      return {
        subscription_id: params.subscription,
        cancel_at_period_end: body.cancel_at_period_end,
        cancel_at: cancel_at === null ? null : isoTime(cancel_at * SECOND),
      };
    },
  }),
  definePartnerCall({
    command: "subscriptions show",
    method: "GET",
    path: "/partner/subscriptions/{subscription}",
    permission: "balance_view",
    summary: "One subscription",
    answer: subscriptionView,
    example: "sub_0123…",
    async run({ own, caller }, { params }) {
      const found = await findOwnSubscription(own.db, caller.partnerId, params.subscription);
      return viewSubscription(found ?? notFound("You have no such subscription. `GET /partner/subscriptions` lists them."));
    },
  }),
];
