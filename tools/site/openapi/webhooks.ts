import type { ZodOpenApiPathItemObject } from "zod-openapi";
import type { DescribedEvent } from "../../../src/webhooks/outbox/events/define-event.ts";
import { allEvents } from "../../../src/webhooks/outbox/events/index.ts";
import { typeNameOf } from "./components.ts";

const HEADERS = {
  "Service-Signature": "One or more values `v1,<hex>`, separated by blanks, one for each secret that is valid",
  "Service-Event-Id": "The event's id, the same at every attempt",
  "Service-Event-Type": "The event's name",
  "Service-Timestamp": "Unix seconds of this attempt; signed, so refuse what is more than 300 old or 60 ahead",
  "Service-Delivery-Attempt": "1 for the first attempt",
  "webhook-id": "The same as Service-Event-Id, for libraries of Standard Webhooks",
  "webhook-timestamp": "The same as Service-Timestamp",
  "webhook-signature": "The same signatures in Base64: `v1,<base64>` for each valid secret",
} as const;

const parameters = Object.entries(HEADERS).map(([name, description]) => ({
  name,
  in: "header" as const,
  required: true,
  description,
  schema: { type: "string" as const },
}));

const responses = {
  "2XX": { description: "Taken. Anything else within 15 seconds, or nothing, and it is sent again on the schedule." },
  "410": { description: "The address is gone: it is suspended, and gets nothing more until it is registered again." },
} as const;

/** The `webhooks` of the API description (OpenAPI 3.1): one entry for each partner event. */
export function describeWebhooks(): Record<string, ZodOpenApiPathItemObject> {
  return Object.fromEntries(allEvents.map((event) => [event.name, { post: describe(event) }]));
}

/** Any of the events, distinguished by the field `event`. */
export function anyEvent() {
  const mapping = Object.fromEntries(allEvents.map(({ name }) => [name, `#/components/schemas/${eventTypeOf(name)}`]));
  return { oneOf: Object.values(mapping).map(($ref) => ({ $ref })), discriminator: { propertyName: "event", mapping } };
}

const eventTypeOf = (name: string) => `${typeNameOf(name)}Event`;

function describe({ name, summary, schema, example }: DescribedEvent) {
  const content = { "application/json": { schema: schema.meta({ title: eventTypeOf(name) }), example } };
  return { operationId: name, summary, security: [], parameters, requestBody: { required: true, content }, responses };
}
