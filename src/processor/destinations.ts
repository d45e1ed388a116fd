import type Stripe from "stripe";
import type { Deadline } from "../core/deadline.ts";
import { callProcessor, nullIfRefused } from "./calls.ts";
import type { EventDestination } from "./port.ts";

/** An account may have 16 of them in each environment; one page holds them all. */
const PAGE = 100;

/** {@link Processor.listEventDestinations} */
export async function listEventDestinations(stripe: Stripe, { deadline }: { deadline: Deadline }): Promise<EventDestination[] | null> {
  const found = await nullIfRefused(callProcessor(deadline, (timeout) => stripe.webhookEndpoints.list({ limit: PAGE }, { timeout }), 1));
  return (
    found?.data.map(({ url, status, api_version, enabled_events }) => ({
      url,
      isEnabled: status === "enabled",
      apiVersion: api_version,
      types: enabled_events,
    })) ?? null
  );
}
