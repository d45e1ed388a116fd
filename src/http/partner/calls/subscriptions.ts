import * as z from "zod";
import { isoTime, SECOND } from "../../../core/clock.ts";
import { environments } from "../../../core/environment.ts";
import { requirePermission } from "../../../partners/authenticate.ts";
import { setCancelAtPeriodEnd } from "../../../subscriptions/cancel-at-period-end.ts";
import { findOwnSubscription, listSubscriptions, mergeById } from "../../../subscriptions/list-subscriptions.ts";
import { listEnvironment, listOf } from "../../calls/lists.ts";
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
      environment: listEnvironment,
      status: z.string().min(1).optional().describe("Only with this status of the processor"),
      ...pageQuery,
    }),
    answer: listOf(subscriptionView),
    example: "--environment test --status active",
    async run({ own, caller }, { query: { limit, cursor, ...wanted } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      const { environment, status } = wanted;
      const asked = environment === undefined ? environments : [environment];
      const list = { partnerId: caller.partnerId, status, after, limit };
      const { rows, next } = mergeById(
        await Promise.all(asked.map((one) => listSubscriptions(own.db, { ...list, environment: one }))),
        limit,
      );
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
    answer: z.object({
      subscription_id: z.string(),
      cancel_at_period_end: z.boolean(),
      cancel_at: z.string().nullable(),
      changed_at: z.string(),
    }),
    example: "",
    async run({ own, caller, actor }, { params, body }) {
      const change = { subscriptionId: params.subscription, cancelAtPeriodEnd: body.cancel_at_period_end };
      // Any key may do it, because an owner gave each key to a program. A person needs a right.
      requirePermission(caller, caller.cancelPermission ?? "product_create", "person");
      const changed = await setCancelAtPeriodEnd(own, caller, change, actor);
      const { cancel_at } = changedSchema.parse(changed);
      return {
        subscription_id: params.subscription,
        cancel_at_period_end: body.cancel_at_period_end,
        cancel_at: cancel_at === null ? null : isoTime(cancel_at * SECOND),
        changed_at: isoTime(own.clock.now()),
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
