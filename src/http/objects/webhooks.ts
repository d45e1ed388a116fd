import { webhookHealthCalls } from "./webhook-health.ts";
import { operatorsWebhookCalls } from "./webhooks-of-operators.ts";
import { partnersWebhookCalls } from "./webhooks-of-partners.ts";

/** A partner looks after its own two webhooks by environment; an operator after those of all partners, by id. They share no call. */
export const webhookCalls = [
  ...webhookHealthCalls.map((partner) => ({ partner })),
  ...partnersWebhookCalls.map((partner) => ({ partner })),
  ...operatorsWebhookCalls.map((operator) => ({ operator })),
];
