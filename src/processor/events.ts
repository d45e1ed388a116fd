import Stripe from "stripe";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { environmentOf } from "./environment.ts";
import { listCreatedBetween } from "./pages.ts";

/** Maximum age of an event's signature, in seconds (the processor's own recommendation). */
const TOLERANCE = 300;

const eventSchema = z.object({
  id: z.string().startsWith("evt_"),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.object({ id: z.string().optional() }) }),
});

/** The event fields that are needed for processing. The object is fetched again, so only its id is kept. */
export interface ProcessorEvent {
  readonly id: string;
  readonly type: string;
  readonly environment: Environment;
  readonly objectId: string;
}

/** An event from the processor's list, with the payload that its webhook would have sent. */
export interface EventWithPayload {
  readonly event: ProcessorEvent;
  readonly payload: string;
}

const verifier = new Stripe("sk_unused", {
  httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init)),
});
const subtle = Stripe.createSubtleCryptoProvider();

/**
 * Parses an event from its raw body, after the processor's own library has checked its signature and age. Null if the
 * body was not signed with `secret` within the last five minutes, or is not an event.
 */
export async function verifyProcessorEvent(
  rawBody: string,
  signature: string,
  secret: string,
  clock: Clock,
): Promise<ProcessorEvent | null> {
  try {
    return toEvent(await verifier.webhooks.constructEventAsync(rawBody, signature, secret, TOLERANCE, subtle, clock.now()));
  } catch {
    return null;
  }
}

/** {@link Processor.listEvents} */
export async function listEvents(
  stripe: Stripe,
  types: readonly string[],
  from: number,
  to: number,
  limit: number,
  { deadline }: { deadline: Deadline },
): Promise<EventWithPayload[]> {
  const found = await listCreatedBetween({ from, to, limit, deadline }, (params, timeout) =>
    stripe.events.list({ ...params, types: [...types] }, { timeout }),
  );
  return found.map((event) => ({ event: toEvent(event), payload: JSON.stringify(event) }));
}

function toEvent(event: unknown): ProcessorEvent {
  const { id, type, livemode, data } = eventSchema.parse(event);
  return { id, type, environment: environmentOf(livemode), objectId: data.object.id ?? id };
}
