import type { DeliveryRelay, Settings } from "../../core/settings.ts";

/** The request of a delivery. */
export interface DeliveryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The relay for a receiver; null if deliveries go to it directly. */
export function relayFor({ deliveryRelay }: Pick<Settings, "deliveryRelay">, url: string): DeliveryRelay | null {
  if (deliveryRelay === null) return null;
  return deliveryRelay.hosts.includes(new URL(url).hostname.replace(/\.$/, "")) ? deliveryRelay : null;
}

/** The same request, to the relay, which sends it on: the receiver gets the same headers and body. */
export const toRelay = ({ url, key }: DeliveryRelay, request: DeliveryRequest): DeliveryRequest => ({
  url,
  headers: { ...request.headers, "Relay-To": new URL(request.url).href, "Relay-Key": key },
  body: request.body,
});

/** What the receiver did, as the relay says it in the headers of its answer. */
export type RelayedAnswer =
  | { readonly kind: "answered"; readonly status: number }
  | { readonly kind: "failed"; readonly errorClass: "timeout" | "connection" }
  /** The answer is not the receiver's: the relay failed, or something before it did. */
  | { readonly kind: "relay_failed" };

/**
 * Reads the relay's answer: `Relay-Status` with the receiver's HTTP status, or `Relay-Error` with `timeout` or `connection` where the
 * receiver gave none.
 */
export function readRelayed(headers: Pick<Headers, "get">): RelayedAnswer {
  const status = headers.get("Relay-Status") ?? "";
  if (/^[1-5]\d\d$/.test(status)) return { kind: "answered", status: Number(status) };
  const error = headers.get("Relay-Error");
  return error === "timeout" || error === "connection" ? { kind: "failed", errorClass: error } : { kind: "relay_failed" };
}
