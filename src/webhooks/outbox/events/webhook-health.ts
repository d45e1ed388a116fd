import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { endpointNameIn } from "../../../core/ids.ts";
import { defineEvent, type Recipient, TO_PEOPLE } from "./define-event.ts";

/** A webhook of a partner. */
interface Webhook extends Recipient {
  readonly endpointId: string;
  /** The partner's name for it; null for the first one of the environment. */
  readonly name: string | null;
}

/** The reasons of a notice about a webhook. */
const reasons = ["event_failing", "event_exhausted", "only_failures", "suspended"] as const;

interface Failing extends Webhook {
  readonly reason: (typeof reasons)[number];
  /** Which notices are one: a reason for one webhook, in one series of failures or on one day. */
  readonly once: string;
  /** The start of the series of failures; null if other deliveries succeed. Unix milliseconds. */
  readonly failingSince: number | null;
  /** The event whose attempt was the last to fail. */
  readonly event: string;
  /** How often it has failed. */
  readonly attempts: number;
  /** The HTTP status of the last answer; null without one. */
  readonly status: number | null;
}

interface Recovered extends Webhook {
  readonly failingSince: number;
  readonly recoveredAt: number;
}

const webhookSchema = z
  .object({
    webhook: z.string().describe("By which calls name it, such as `live` or `live.k3f9a2`"),
    name: z.string().nullable().describe("Your name for it; null for the first webhook of the environment"),
  })
  .meta({ title: "NamedWebhook" });

const says = z.string().describe("The same in a sentence, as your chat gets it");

const viewOf = ({ endpointId, name }: Webhook) => ({ webhook: endpointNameIn(endpointId), name });
const wordsFor = ({ environment, name }: Webhook): string => (name === null ? `your ${environment} webhook` : `your webhook “${name}”`);
const KEPT = "Its events are kept: repair the receiver, then resume the webhook.";

function failingWords(failing: Failing): string {
  const { reason, event, attempts, failingSince, status } = failing;
  const webhook = wordsFor(failing);
  const answer = status === null ? "Your receiver does not answer" : `Your receiver answers ${status}`;
  switch (reason) {
    case "event_failing":
      return `The event ${event} has failed ${attempts} times at ${webhook}. ${answer}.`;
    case "event_exhausted":
      return `The event ${event} was given up after its last attempt at ${webhook}. Repair the receiver, then resend it.`;
    case "only_failures":
      return `All deliveries to ${webhook} have failed since ${isoTime(failingSince ?? 0)}. ${answer}. After five days it is suspended.`;
    case "suspended": {
      const why = status === 410 ? "your receiver answered 410 Gone" : "every attempt failed for days";
      return `Suspended: ${webhook}, because ${why}. ${KEPT}`;
    }
  }
}

/** A webhook fails. The other webhooks of the environment get it, and the chat. */
export const webhookFailing = defineEvent({
  name: "Partner.webhook.failing",
  summary: "A webhook fails: your other webhooks of the environment get this, and your chat",
  payload: {
    webhook: webhookSchema,
    reason: z.enum(reasons),
    failing_since: z.string().nullable().describe("Since when all its deliveries have failed; null if others succeed"),
    failed_event: z.string().describe("The event whose delivery was the last to fail"),
    last_status: z.int().nullable().describe("The HTTP status of the last answer; null without one"),
    says,
  },
  example: {
    webhook: { webhook: "live", name: null },
    reason: "only_failures",
    failing_since: "2026-11-20T07:30:00.000Z",
    failed_event: "evt_015b0c6a7f0d3e4a51a3f1c2d4e5f608",
    last_status: 500,
    says: "All deliveries to your live webhook have failed since 2026-11-20T07:30:00.000Z. Your receiver answers 500. After five days it is suspended.",
  },
  channels: TO_PEOPLE,
  causeOf: ({ endpointId, reason, once }: Failing) => `webhook.failing:${endpointId}:${reason}:${once}`,
  aboutOf: ({ endpointId }) => endpointId,
  view: (failing) => ({
    webhook: viewOf(failing),
    reason: failing.reason,
    failing_since: isoTimeOrNull(failing.failingSince),
    failed_event: failing.event,
    last_status: failing.status,
    says: failingWords(failing),
  }),
});

/** A webhook takes deliveries again, after an hour or more in which all had failed. */
export const webhookRecovered = defineEvent({
  name: "Partner.webhook.recovered",
  summary: "A webhook takes deliveries again, after it had failed for an hour or more",
  payload: { webhook: webhookSchema, failed_since: z.string(), recovered_at: z.string(), says },
  example: {
    webhook: { webhook: "live", name: null },
    failed_since: "2026-11-20T07:30:00.000Z",
    recovered_at: "2026-11-20T11:02:00.000Z",
    says: "Your live webhook takes deliveries again. They had failed since 2026-11-20T07:30:00.000Z.",
  },
  channels: TO_PEOPLE,
  causeOf: ({ endpointId, failingSince }: Recovered) => `webhook.recovered:${endpointId}:${failingSince}`,
  aboutOf: ({ endpointId }) => endpointId,
  view(recovered) {
    const { failingSince, recoveredAt } = recovered;
    const webhook = wordsFor(recovered);
    return {
      webhook: viewOf(recovered),
      failed_since: isoTime(failingSince),
      recovered_at: isoTime(recoveredAt),
      says: `${webhook.charAt(0).toUpperCase()}${webhook.slice(1)} takes deliveries again. They had failed since ${isoTime(failingSince)}.`,
    };
  },
});
