import { sql } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import type { IdCode } from "../../core/cell-code.ts";
import type { Environment } from "../../core/environment.ts";
import { endpointIdOf, newId } from "../../core/ids.ts";
import { isHeld } from "../../core/object-states.ts";
import { runBatch } from "../../db/client.ts";
import { endpoints, events } from "../../db/schema/webhooks.ts";
import type { DeliveryDeps } from "../delivery/deliver.ts";
import { TEST_CAUSE } from "../endpoints/delivery-state.ts";
import { findEndpoint } from "../endpoints/store.ts";
import { allEvents } from "../outbox/events/index.ts";
import { nextEventTime } from "../outbox/store.ts";
import { type ExampleFields, exampleWith } from "./example-fields.ts";
import { type ResendResult, resendEvent } from "./resend.ts";

/** The names of all events, for the choice of an example. */
export const eventNames = allEvents.map(({ name }) => name);

/**
 * Records an example event for a partner, marked `"test_event": true`, and sends it at once. The event follows the
 * rules of a manual resend: it has no retries, and does not change the endpoint's health. It is sent to a suspended
 * endpoint too, unless others than the partner suspended it. Without an endpoint it is only recorded.
 */
export async function sendTestEvent(
  deps: DeliveryDeps,
  partner: { readonly partnerId: string; readonly idCode: IdCode },
  wanted: { readonly environment: Environment; readonly code: string; readonly name: string; readonly fields: ExampleFields },
  actor: Actor,
): Promise<{ readonly event: string; readonly result: ResendResult }> {
  const { partnerId, idCode } = partner;
  const { environment, code } = wanted;
  const described = allEvents.find(({ name }) => name === wanted.name);
  if (described === undefined) throw new Error(`unknown event: ${wanted.name}`);
  const payload = examplePayload(exampleWith(described, wanted.fields), environment);
  const id = newEventId(idCode);
  const first = endpointIdOf(partnerId, environment);
  const endpointId = endpointIdOf(partnerId, environment, code);
  const endpoint = await findEndpoint(deps.db, endpointId);
  // Refused, and nothing is left of it.
  if (endpoint !== undefined && isHeld(endpoint)) return { event: id, result: { outcome: "held" } };
  const now = deps.clock.now();
  const row = {
    cause: `${TEST_CAUSE}${id}`,
    partnerId,
    environment,
    name: described.name,
    payload,
    nextAttemptAt: now,
  };
  const createdAt = sql`COALESCE((SELECT created_at FROM ${events} WHERE id = ${id}), ${nextEventTime(first, now)})`;
  const isRegistered = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${endpointId})`;
  const state = sql`CASE WHEN ${isRegistered} THEN 'exhausted' ELSE 'no_endpoint' END`;
  const deliveryId = code === "" ? id : `${id}.${code}`;
  const rows = code === "" ? [] : [{ ...row, id, endpointId: first, state: "no_endpoint" as const }];
  await runBatch(deps.db, [
    auditRow(deps.db, { actor, action: "webhook.test", target: deliveryId, partnerId }, now),
    ...[...rows, { ...row, id: deliveryId, endpointId, state }].map((values) => deps.db.insert(events).values({ ...values, createdAt })),
  ]);
  return { event: deliveryId, result: await resendEvent(deps, deliveryId, actor, "partner") };
}

/** A random id in the form of an event's id. */
function newEventId(code: IdCode): string {
  return `evt_${code}${newId("").slice(1, 31)}`;
}

/** JSON of the example's own fields, of the environment of the webhook, with the mark of a test event. */
function examplePayload(example: Readonly<Record<string, unknown>>, environment: Environment): string {
  const { id: _id, event: _event, environment: _environment, created_at: _createdAt, ...payload } = example;
  const inEnvironment = (name: string, value: unknown) => (name === "environment" ? environment : value);
  // A checkout's id says its environment too.
  return JSON.stringify({ test_event: true, ...payload }, inEnvironment).replaceAll(/\bcs_(?:live|test)_/g, `cs_${environment}_`);
}
