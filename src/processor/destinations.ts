import type Stripe from "stripe";
import type { Account } from "./account.ts";
import { callProcessor, nullIfRefused } from "./calls.ts";
import type { Call, EventDestination } from "./port.ts";
import { API_VERSION } from "./version.ts";

/** An account may have 16 per environment, so one page has them all. */
const PAGE = 100;

/** A created event destination. Only this answer contains its secret. */
interface MadeDestination {
  readonly id: string;
  readonly secret: string;
}

/**
 * Creates an event destination with snapshot payloads for these types, with the API version of all our requests. Only
 * the deployment command uses it. @throws ServiceFailure as the processor does.
 */
export async function createEventDestination(
  stripe: Stripe,
  { url, types, description }: { readonly url: string; readonly types: readonly string[]; readonly description: string },
  { budget }: Call,
): Promise<MadeDestination> {
  // The library lists its own types and versions. The processor refuses unknown ones.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const params = { url, description, enabled_events: [...types], api_version: API_VERSION } as Stripe.WebhookEndpointCreateParams;
  // Only one attempt: the list shows whether an attempt without an answer has created one.
  const made = await callProcessor(budget, (timeout) => stripe.webhookEndpoints.create(params, { timeout }), 1);
  if (made.secret === undefined) throw new Error("the processor answered without the destination's secret");
  return { id: made.id, secret: made.secret };
}

/** The event destinations with snapshot payloads. Null if the API key may not list them. */
export async function listEventDestinations({ stripe }: Pick<Account, "stripe">, { budget }: Call): Promise<EventDestination[] | null> {
  const found = await nullIfRefused(callProcessor(budget, (timeout) => stripe.webhookEndpoints.list({ limit: PAGE }, { timeout }), 1));
  return (
    found?.data.map(({ url, status, api_version, enabled_events }) => ({
      url,
      isEnabled: status === "enabled",
      apiVersion: api_version,
      types: enabled_events,
    })) ?? null
  );
}
