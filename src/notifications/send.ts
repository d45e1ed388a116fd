import { type Clock, SECOND } from "../core/clock.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Settings } from "../core/settings.ts";
import type { ClaimedDelivery } from "./claims.ts";
import { whyNotDeliverable } from "./endpoint-urls.ts";
import type { AttemptResult } from "./results.ts";
import { LONGEST_WAIT } from "./schedule.ts";
import type { SecretBox } from "./secret-box.ts";
import { signDelivery } from "./signature.ts";

const ANSWER_TIMEOUT = 15 * SECOND;
const MOST_EXCERPT_BYTES = 1024;

export interface SendTools {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly secretBox: SecretBox;
}

/** What the receiver made of an attempt. `retryAfter` in milliseconds, 0 for none. */
type Answer = Omit<AttemptResult, "endedAt"> & { readonly retryAfter: number };

/**
 * Sends a delivery to where its endpoint is now, signed afresh, and waits 15 seconds for the answer. Redirects are not
 * followed: they could lead where no delivery may go. Never throws.
 */
export async function sendDelivery(tools: SendTools, delivery: ClaimedDelivery): Promise<Answer> {
  const unsendable = whyNotDeliverable(delivery.url, delivery.environment, tools.settings);
  if (unsendable !== null) return { status: null, errorClass: "forbidden_url", excerpt: unsendable, retryAfter: 0 };
  const now = tools.clock.now();
  const timestamp = Math.floor(now / SECOND);
  const signature = await signatureOf(tools, delivery, timestamp);
  if (signature === null) return { status: null, errorClass: "secret", excerpt: null, retryAfter: 0 };
  // A timer of our own, cleared at once: one that ran on would count against what the runtime allows.
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ANSWER_TIMEOUT);
  try {
    const response = await fetch(delivery.url, {
      method: "POST",
      redirect: "manual",
      signal: over.signal,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "partner-payments-webhooks/1",
        "Service-Event-Id": delivery.eventId,
        "Service-Event-Type": delivery.name,
        "Service-Timestamp": String(timestamp),
        "Service-Delivery-Attempt": String(delivery.number),
        "Service-Signature": signature,
      },
      body: delivery.body,
    });
    const retryAfter = retryAfterOf(response, now);
    return { status: response.status, errorClass: errorOf(response), excerpt: await excerptOf(response), retryAfter };
  } catch {
    return { status: null, errorClass: over.signal.aborted ? "timeout" : "connection", excerpt: null, retryAfter: 0 };
  } finally {
    clearTimeout(timer);
  }
}

function errorOf({ ok, status }: Response): AttemptResult["errorClass"] {
  if (ok) return null;
  if (status === 410) return "gone";
  return status >= 300 && status < 400 ? "redirect" : "status";
}

/**
 * Null where the current secret cannot be opened: the attempt fails and is recorded, so that an operator sees why. The
 * previous one signs where it can.
 */
async function signatureOf(tools: SendTools, delivery: ClaimedDelivery, timestamp: number): Promise<string | null> {
  const opened = await Promise.all(delivery.sealedSecrets.map((sealed, index) => openSecret(tools, sealed, delivery, index === 0)));
  if (opened[0] == null) return null;
  const secrets = opened.filter((secret) => secret !== null);
  return signDelivery(delivery.eventId, timestamp, delivery.body, secrets);
}

async function openSecret(
  tools: SendTools,
  sealed: string,
  { eventId, endpointId }: ClaimedDelivery,
  current: boolean,
): Promise<string | null> {
  try {
    return await tools.secretBox.open(sealed, endpointId);
  } catch (thrown) {
    tools.log.error("signing secret not opened", { event: eventId, endpoint: endpointId, current, ...describeThrown(thrown) });
    return null;
  }
}

/**
 * The beginning of an answer's body, and no more of it is ever read. Null where it breaks off: the status has been
 * received by then, and that alone is the receiver's answer.
 */
async function excerptOf(response: Response): Promise<string | null> {
  try {
    return await readBeginning(response);
  } catch {
    return null;
  }
}

async function readBeginning(response: Response): Promise<string | null> {
  const stream: ReadableStream<Uint8Array> | null = response.body;
  const reader = stream?.getReader();
  if (reader === undefined) return null;
  let bytes = new Uint8Array();
  while (bytes.length < MOST_EXCERPT_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes = Uint8Array.of(...bytes, ...value.slice(0, MOST_EXCERPT_BYTES - bytes.length));
  }
  await reader.cancel();
  return new TextDecoder().decode(bytes);
}

/**
 * Milliseconds from a `Retry-After` header in seconds or as a date, a day at most, whatever it says; 0 where there is none,
 * or none that makes sense.
 */
function retryAfterOf(response: Response, now: number): number {
  const header = response.headers.get("Retry-After") ?? "";
  const milliseconds = /^\d+$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now;
  return milliseconds > 0 ? Math.min(milliseconds, LONGEST_WAIT) : 0;
}
