import * as z from "zod";
import type { Clock } from "../core/clock.ts";
import { lazyAsync } from "../core/lazy.ts";
import { partnerIdIn } from "./attribution-metadata.ts";
import { environmentOf } from "./environment.ts";
import type { ProcessorEvent } from "./facts.ts";
import { API_VERSION } from "./version.ts";

/** Maximum age of an event's signature, in seconds (the processor's own recommendation). */
const TOLERANCE = 300;

/** The fields of an event that are read. */
export const eventSchema = z.object({
  id: z.string().startsWith("evt_"),
  type: z.string(),
  livemode: z.boolean(),
  api_version: z.string().nullish(),
  account: z.string().nullish(),
  data: z.object({ object: z.object({ id: z.string().optional() }).loose() }),
});

const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);

/** The references of an object to its payment or subscription. Which ones exist depends on its kind. */
const subjectSchema = z.union([
  z.object({ payment_intent: reference }).transform(({ payment_intent }) => payment_intent),
  z.object({ subscription: reference }).transform(({ subscription }) => subscription),
  z
    .object({ parent: z.object({ subscription_details: z.object({ subscription: reference }) }) })
    .transform(({ parent }) => parent.subscription_details.subscription),
]);

const textByName = z.record(z.string(), z.string());

/** The metadata of an object: its own, or that of an invoice's subscription. */
const metadataSchema = z.union([
  z
    .object({ parent: z.object({ subscription_details: z.object({ metadata: textByName }) }) })
    .transform(({ parent }) => parent.subscription_details.metadata),
  z.object({ metadata: textByName }).transform((object) => object.metadata),
]);

/** An event without its object, as a destination with thin payloads gets it. */
const thinEventSchema = z.object({ id: z.string(), object: z.literal("v2.core.event"), type: z.string() });

/**
 * A request to the event address. `unsigned`: not signed with the secret within the last five minutes. `thin` and
 * `unreadable`: signed, but its event destination is not set up as the deployment guide says. `otherVersion` is the API
 * version of the event if it differs from ours; the event can still be processed, since only its ids are used.
 * `account`: the connected account of the event; null for our own, as all events should be.
 */
export type ReceivedEvent =
  | { readonly kind: "event"; readonly event: ProcessorEvent; readonly otherVersion: string | null; readonly account: string | null }
  | { readonly kind: "unsigned" | "thin" | "unreadable" };

/** The library is loaded with the first event. */
const signatures = lazyAsync(async () => {
  const { default: Stripe } = await import("stripe");
  const httpClient = Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init));
  return { verifier: new Stripe("sk_unused", { httpClient }).webhooks.signature, subtle: Stripe.createSubtleCryptoProvider() };
});

/** Reads an event from its raw body, after the processor's own library has checked its signature and age. */
export async function readProcessorEvent(rawBody: string, signature: string, secret: string, clock: Clock): Promise<ReceivedEvent> {
  if (!(await isSigned(rawBody, signature, secret, clock.now()))) return { kind: "unsigned" };
  const body = parsed(rawBody);
  if (thinEventSchema.safeParse(body).success) return { kind: "thin" };
  const found = eventSchema.safeParse(body);
  if (!found.success) return { kind: "unreadable" };
  const version = found.data.api_version ?? API_VERSION;
  return {
    kind: "event",
    event: toEvent(found.data),
    otherVersion: version === API_VERSION ? null : version,
    account: found.data.account ?? null,
  };
}

/** The event without the content of its object. */
export function toEvent({ id, type, livemode, data }: z.infer<typeof eventSchema>): ProcessorEvent {
  const objectId = data.object.id ?? id;
  const subject = subjectSchema.safeParse(data.object).data ?? objectId;
  const metadata = metadataSchema.safeParse(data.object).data ?? {};
  return { id, type, environment: environmentOf(livemode), objectId, subject, partnerId: partnerIdIn(metadata) };
}

async function isSigned(rawBody: string, signature: string, secret: string, now: number): Promise<boolean> {
  const { verifier, subtle } = await signatures();
  if (verifier === null) return false;
  try {
    return await verifier.verifyHeaderAsync(rawBody, signature, secret, TOLERANCE, subtle, now);
  } catch {
    return false;
  }
}

/** The body as JSON; undefined if it is not JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
