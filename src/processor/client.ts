import Stripe from "stripe";

/** The API version that every request names and every event is read as; moving it is a change of its own. */
const API_VERSION = "2026-10-28.endive";

/** A client for one of the processor's two environments, by its key. `base` is an origin, the sandbox's in development. */
export function openStripe(base: string, key: string): Stripe {
  const { protocol, hostname, port } = new URL(base);
  return new Stripe(key, {
    apiVersion: API_VERSION,
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port || (protocol === "http:" ? "80" : "443"),
    httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init)),
    // Tries are made and counted in calls.ts, under the deadline of the whole operation.
    maxNetworkRetries: 0,
    telemetry: false,
  });
}
