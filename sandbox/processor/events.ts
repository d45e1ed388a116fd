import { hmacSha256Hex } from "../../src/core/digest.ts";
import type { ProcessorObject } from "../state.ts";
import { addObject, findObject, nowInSeconds, retryLater, type World } from "../world.ts";
import { publish } from "./publish.ts";
import { shapes } from "./shapes.ts";

/**
 * An event in the processor's format, with a snapshot of the object's current state. An update also has the previous
 * values of changed fields.
 */
export function makeEvent(world: World, type: string, object: ProcessorObject, previous?: object): ProcessorObject {
  return addObject(world, "evt", {
    object: "event",
    livemode: object.livemode,
    api_version: shapes.apiVersion,
    type,
    data: { object: structuredClone(publish(object)), ...(previous === undefined ? {} : { previous_attributes: previous }) },
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
  });
}

/**
 * Sends events to the edge according to the settings of their environment: held, duplicated or shuffled. Returns after
 * one attempt for each event. Failed deliveries are retried later, as the processor does.
 */
export async function sendEvents(world: World, events: readonly ProcessorObject[]): Promise<void> {
  const kept: ProcessorObject[] = [];
  for (const event of events) {
    const settings = world.state.events[event.livemode ? "live" : "test"];
    if (settings.hold) settings.held.push(event.id);
    else kept.push(...Array.from({ length: settings.duplicate + 1 }, () => event));
  }
  const shuffled = kept.some((event) => world.state.events[event.livemode ? "live" : "test"].shuffle);
  for (const event of shuffled ? shuffle(kept) : kept) await sendEvent(world, event, 0);
}

/** Releases the held events of an environment. */
export async function releaseEvents(world: World, environment: "live" | "test"): Promise<void> {
  const { held } = world.state.events[environment];
  const events = held.splice(0).flatMap((id) => findObject(world, id) ?? []);
  await sendEvents(world, events);
}

async function sendEvent(world: World, event: ProcessorObject, tries: number): Promise<void> {
  const environment = event.livemode ? "live" : "test";
  const timestamp = nowInSeconds(world);
  const body = JSON.stringify(publish(event));
  const signature = await hmacSha256Hex(world.eventSecrets[environment], new TextEncoder().encode(`${timestamp}.${body}`));
  const taken = await world
    .fetch(`${world.edge}/ingest/processor/${environment}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Stripe-Signature": `t=${timestamp},v1=${signature}` },
      body,
    })
    .then(async (response) => {
      await response.text();
      return response.ok;
    })
    .catch(() => false);
  if (!taken) retryLater(world, tries, () => sendEvent(world, event, tries + 1));
}

function shuffle<Thing>(things: readonly Thing[]): Thing[] {
  return things
    .map((thing) => ({ thing, rank: Math.random() }))
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ thing }) => thing);
}
