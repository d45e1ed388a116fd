import { type Clock, SECOND } from "../core/clock.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Settings } from "../core/settings.ts";
import type { WakeUp } from "../core/wake-up.ts";
import type { Database } from "../db/client.ts";
import { whyNotDeliverable } from "./endpoint-urls.ts";
import { waitAfter } from "./schedule.ts";
import type { SecretBox } from "./secret-box.ts";
import { signDelivery } from "./signature.ts";
import { claimDelivery, recordAttempt } from "./store.ts";

const ANSWER_TIMEOUT = 15 * SECOND;
const MOST_EXCERPT_BYTES = 1024;

export interface DeliveryTools {
  readonly clock: Clock;
  readonly log: Log;
  readonly db: Database;
  readonly settings: Settings;
  readonly secretBox: SecretBox;
  readonly wakeDeliveries: WakeUp;
}

/** What the receiver made of an attempt. `retryAfter` in milliseconds, 0 for none. */
interface Answer {
  readonly status: number | null;
  readonly errorClass: string | null;
  readonly excerpt: string | null;
  readonly retryAfter: number;
}

/**
 * Makes one attempt at a delivery, if it is due and nobody else has it, and puts the next one on the schedule. Two
 * D1 round trips. The claim is a compare-and-set, so two messages about one delivery make one attempt; what dies
 * between claim and result is given back by the sweep, and may then be sent twice: receivers know it by its id.
 */
export async function attemptDelivery(tools: DeliveryTools, eventId: string): Promise<void> {
  const startedAt = tools.clock.now();
  const delivery = await claimDelivery(tools.db, eventId, startedAt);
  if (delivery === undefined) return;

  const answer = await send(tools, delivery, startedAt);
  const endedAt = tools.clock.now();
  const succeeded = answer.status !== null && answer.status >= 200 && answer.status < 300;
  const wait = succeeded ? null : waitAfter(delivery.number, answer.retryAfter, Math.random());
  const { status, errorClass, excerpt } = answer;
  const attempt = { number: delivery.number, at: startedAt, status, durationMs: endedAt - startedAt, errorClass, excerpt };
  const state = succeeded ? "succeeded" : wait === null ? "exhausted" : "pending";
  await recordAttempt(tools.db, { ...delivery, claimedAt: startedAt }, attempt, { state, at: endedAt + (wait ?? 0) });
  tools.log.info("delivery attempted", { event: eventId, attempt: delivery.number, status, error_class: errorClass, state });
  if (wait !== null) await wakeLater(tools, eventId, wait);
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claimDelivery>>>;

async function send(tools: DeliveryTools, delivery: Claimed, now: number): Promise<Answer> {
  const unsendable = whyNotDeliverable(delivery.url, delivery.environment, tools.settings);
  if (unsendable !== null) return { status: null, errorClass: "forbidden_url", excerpt: unsendable, retryAfter: 0 };
  const timestamp = Math.floor(now / SECOND);
  const signature = await signatureOf(tools, delivery, timestamp);
  if (signature === null) return { status: null, errorClass: "secret", excerpt: null, retryAfter: 0 };
  try {
    const response = await fetch(delivery.url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_TIMEOUT),
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
    const errorClass = response.ok ? null : response.status >= 300 && response.status < 400 ? "redirect" : "status";
    return { status: response.status, errorClass, excerpt: await excerptOf(response), retryAfter: retryAfterOf(response, now) };
  } catch (thrown) {
    const timedOut = thrown instanceof Error && thrown.name === "TimeoutError";
    return { status: null, errorClass: timedOut ? "timeout" : "connection", excerpt: null, retryAfter: 0 };
  }
}

/** Null where a secret cannot be opened: the attempt fails and is recorded, so that an operator sees why. */
async function signatureOf(tools: DeliveryTools, delivery: Claimed, timestamp: number): Promise<string | null> {
  try {
    const secrets = await Promise.all(delivery.sealedSecrets.map((sealed) => tools.secretBox.open(sealed, delivery.endpointId)));
    return await signDelivery(delivery.eventId, timestamp, delivery.body, secrets);
  } catch (thrown) {
    tools.log.error("delivery not signed", { event: delivery.eventId, ...describeThrown(thrown) });
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

/** Milliseconds from a `Retry-After` header in seconds or as a date; 0 where there is none, or none that makes sense. */
function retryAfterOf(response: Response, now: number): number {
  const header = response.headers.get("Retry-After") ?? "";
  const milliseconds = /^\d+$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now;
  return milliseconds > 0 ? milliseconds : 0;
}

async function wakeLater(tools: DeliveryTools, eventId: string, wait: number): Promise<void> {
  try {
    await tools.wakeDeliveries.send([eventId], { delaySeconds: Math.ceil(wait / SECOND) });
  } catch (thrown) {
    tools.log.error("delivery not woken", { event: eventId, ...describeThrown(thrown) });
  }
}
