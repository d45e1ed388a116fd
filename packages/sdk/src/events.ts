import type { PartnerEvent } from "./types.ts";

/** A delivery that is not ours, or too old: do not process it, and answer 400. */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
}

/** The headers of a request, as any server has them. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Seconds: how old a delivery may be, and how far ahead. */
const OLDEST = 300;
const EARLIEST = 60;

/**
 * The event of a delivery whose signature is right. `rawBody` is what was received, before any parser changed it. `secrets` are all
 * that you hold for the environment: two while a secret is being replaced. A delivery may come more than once: process each
 * `event.id` once. @throws SignatureError
 */
export async function verifyEvent(
  rawBody: string | Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  { now = Date.now() }: { readonly now?: number } = {},
): Promise<PartnerEvent> {
  const [id, timestamp, signatures] = ["service-event-id", "service-timestamp", "service-signature"].map((name) => headerOf(headers, name));
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw new SignatureError("A header of the signature is missing.");
  const age = now / 1_000 - Number(timestamp);
  if (!(age <= OLDEST && age >= -EARLIEST)) throw new SignatureError("The delivery is too old, or from the future.");
  const encoder = new TextEncoder();
  const bytes = typeof rawBody === "string" ? encoder.encode(rawBody) : rawBody;
  const head = encoder.encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(head.length + bytes.length);
  message.set(head);
  message.set(bytes, head.length);
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const given of signatures.split(" ")) {
      const signature = bytesOf(given);
      // The comparison takes the same time for each signature.
      if (signature !== null && (await crypto.subtle.verify("HMAC", key, signature, message))) {
        // It is the service that signed it, and its events are as its description says.
        return JSON.parse(new TextDecoder().decode(bytes)) as PartnerEvent;
      }
    }
  }
  throw new SignatureError("No signature of the delivery is right.");
}

function headerOf(headers: ReceivedHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : found?.join(" ");
}

/** The bytes of `v1,<hex>`; null for any other text. */
function bytesOf(signature: string): Uint8Array<ArrayBuffer> | null {
  const hex = /^v1,([0-9a-f]{64})$/.exec(signature)?.[1];
  if (hex === undefined) return null;
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
