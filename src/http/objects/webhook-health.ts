import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { type DeliveryCounts, ENDPOINT_DAYS, endpointDays, sumOf } from "../../figures/endpoints.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { destinationName, webhookNamed } from "./webhook-view.ts";

const percent = z.number().nullable();

const countsView = z.object({
  deliveries: z.int().describe("Of the events of that time. Percentages are of these, counted from the event, and null without any"),
  attempts: z.int(),
  delivered: z.int(),
  given_up: z.int(),
  delivered_percent: percent,
  within_second_percent: percent,
  within_minute_percent: percent,
  within_hour_percent: percent,
});

function viewCounts({ deliveries, attempts, delivered, givenUp, inSecond, inMinute, inHour }: DeliveryCounts): z.output<typeof countsView> {
  const share = (count: number) => (deliveries === 0 ? null : Math.round((10_000 * count) / deliveries) / 100);
  return {
    deliveries,
    attempts,
    delivered,
    given_up: givenUp,
    delivered_percent: share(delivered),
    within_second_percent: share(inSecond),
    within_minute_percent: share(inMinute),
    within_hour_percent: share(inHour),
  };
}

/** How soon a webhook, or the chat, takes what is sent to it. */
export const webhookHealthCalls = [
  definePartnerCall({
    command: "webhooks health",
    path: "/partner/webhooks/{webhook}/health",
    permission: "webhook_config",
    forAgents: {
      tool: "get-partner-webhook-health",
      hint: "Use it for how soon and how reliably a webhook takes events, by day.",
    },
    summary: "How soon a webhook took its deliveries, by day: how many within a second, a minute, an hour, and how many attempts",
    params: z.object({ webhook: destinationName }),
    query: z.object({
      days: z.coerce
        .number(`must be a whole number from 1 to ${ENDPOINT_DAYS}`)
        .int()
        .min(1)
        .max(ENDPOINT_DAYS)
        .default(30)
        .describe(`How many days (UTC), up to today: 1 to ${ENDPOINT_DAYS}`),
    }),
    answer: z.object({
      webhook: z.string(),
      environment: environmentSchema,
      totals: countsView.describe("Of all days"),
      days: z.array(z.object({ day: z.string(), ...countsView.shape })).describe("Oldest first"),
    }),
    example: "test --days 7",
    async run({ own, caller }, { params: { webhook }, query: { days: count } }) {
      const { id: endpointId, partnerId, environment } = webhookNamed(caller.partnerId, webhook);
      const days = await endpointDays(own.data.cells, own.clock, { partnerId, endpointId, count });
      return {
        webhook,
        environment,
        totals: viewCounts(sumOf(days.map(({ counts }) => counts))),
        days: days.map(({ day, counts }) => ({ day: isoTime(day).slice(0, 10), ...viewCounts(counts) })),
      };
    },
  }),
];
