import { hmacSha256, toBase64, toHex } from "../../core/digest.ts";

const encoder = new TextEncoder();

/** The signatures of one attempt. */
export interface Signatures {
  /** The value of `Service-Signature`: for each secret `v1,<hex>`, separated by blanks (interface W.4). */
  readonly service: string;
  /** The value of `webhook-signature` of Standard Webhooks: for each secret `v1,<base64>`, separated by blanks (interface W.6). */
  readonly standard: string;
}

/**
 * Signs one attempt: for each secret, in the order given, the HMAC-SHA256 over `<event id>.<timestamp>.<body>`, keyed with the
 * whole secret string (interface W.4, W.5). Both headers have the same HMACs. `timestamp` in Unix seconds.
 */
export async function signDelivery(eventId: string, timestamp: number, body: string, secrets: readonly string[]): Promise<Signatures> {
  const message = encoder.encode(`${eventId}.${timestamp}.${body}`);
  const values = await Promise.all(secrets.map((secret) => hmacSha256(secret, message)));
  const inForm = (form: (bytes: Uint8Array) => string) => values.map((value) => `v1,${form(value)}`).join(" ");
  return { service: inForm(toHex), standard: inForm(toBase64) };
}
