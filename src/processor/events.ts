import Stripe from "stripe";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import { listMadeBetween } from "./pages.ts";

/** How old an event's signature may be, in seconds (the processor's own recommendation). */
const TOLERANCE = 300;

const eventSchema = z.object({
  id: z.string().startsWith("evt_"),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.object({ id: z.string().optional() }) }),
});

/** What is needed of an event to work it off: its object is fetched anew, so only its id counts. */
export interface ProcessorEvent {
  readonly id: string;
  readonly type: string;
  readonly environment: "live" | "test";
  readonly objectId: string;
}

/** An event as the processor keeps it, with the text that it would have sent. */
export interface ListedEvent {
  readonly event: ProcessorEvent;
  readonly payload: string;
}

const verifier = new Stripe("sk_unused", {
  httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init)),
});
const subtle = Stripe.createSubtleCryptoProvider();

/**
 * An event from its raw body, once its signature and age have been checked by the processor's own library.
 * Null for anything that the holder of `secret` did not sign within the last five minutes, or that is no event.
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
): Promise<ListedEvent[]> {
  const found = await listMadeBetween({ from, to, limit, deadline }, (params, timeout) =>
    stripe.events.list({ ...params, types: [...types] }, { timeout }),
  );
  return found.map((event) => ({ event: toEvent(event), payload: JSON.stringify(event) }));
}

function toEvent(event: unknown): ProcessorEvent {
  const { id, type, livemode, data } = eventSchema.parse(event);
  return { id, type, environment: livemode ? "live" : "test", objectId: data.object.id ?? id };
}
