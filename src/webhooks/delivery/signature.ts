import { hmacSha256Hex } from "../../core/digest.ts";

const encoder = new TextEncoder();

/**
 * The value of `Service-Signature`: for each secret, in the order given, `v1,` and the HMAC-SHA256 over
 * `<event id>.<timestamp>.<body>`, keyed with the whole secret string (interface W.4, W.5). `timestamp` in Unix seconds.
 */
export async function signDelivery(eventId: string, timestamp: number, body: string, secrets: readonly string[]): Promise<string> {
  const message = encoder.encode(`${eventId}.${timestamp}.${body}`);
  const values = await Promise.all(secrets.map((secret) => hmacSha256Hex(secret, message)));
  return values.map((value) => `v1,${value}`).join(" ");
}
