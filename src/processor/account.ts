import Stripe from "stripe";
import type { Environment } from "../core/environment.ts";
import type { Send } from "../core/fetch-sandbox.ts";
import { livemodeOf } from "./environment.ts";
import type { ReportMisfit } from "./misfits.ts";
import { API_VERSION } from "./version.ts";

/** The account of one environment at the processor, through the official client. */
export interface Account {
  readonly stripe: Stripe;
  readonly livemode: boolean;
  /** Gets the fields of answers that do not fit their shapes. */
  readonly report: ReportMisfit;
}

/** Where an account is, and the key to it. */
export interface AccountPlace {
  /** An origin; in development, the sandbox. */
  readonly base: string;
  readonly key: string;
  readonly environment: Environment;
  readonly send: Send;
  readonly report: ReportMisfit;
}

export const openAccount = ({ base, key, environment, send, report }: AccountPlace): Account => ({
  stripe: createStripeClient(base, key, send),
  livemode: livemodeOf(environment),
  report,
});

/** A client for one of the processor's two environments, with its key. */
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
