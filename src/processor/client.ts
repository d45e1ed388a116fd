import Stripe from "stripe";
import type { Send } from "../core/fetch-sandbox.ts";
import { API_VERSION } from "./version.ts";

/**
 * A client for one of the processor's two environments, with its key. `base` is an origin (in development: the
 * sandbox). `send` sends its requests.
 */
export function createStripeClient(base: string, key: string, send: Send): Stripe {
  const { protocol, hostname, port } = new URL(base);
  return new Stripe(key, {
    apiVersion: API_VERSION,
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port || (protocol === "http:" ? "80" : "443"),
    httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => send(input, init)),
    // calls.ts makes and counts the retries, within the deadline of the whole operation.
    maxNetworkRetries: 0,
    telemetry: false,
  });
}
