import { type Chat, chatRequest, chatSchema, chatUrlError } from "../../chats/chat.ts";
import type { Mailer } from "../../chats/mailer.ts";
import { mailAbout } from "../../chats/mails.ts";
import { messageOf } from "../../chats/messages.ts";
import { type Clock, SECOND } from "../../core/clock.ts";
import { parseJson } from "../../core/json.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { SecretCipher } from "../../core/secret-cipher.ts";
import type { Settings } from "../../core/settings.ts";
import { fetchUpstream } from "../../core/trace.ts";
import { deliveryUrlError } from "../endpoints/endpoint-url.ts";
import type { AttemptResult } from "./attempts.ts";
import type { ClaimedDelivery } from "./claims.ts";
import { type DeliveryRequest, readRelayed, relayFor, toRelay } from "./relay.ts";
import { MAX_RETRY_AFTER } from "./schedule.ts";
import { type Signatures, signDelivery } from "./signature.ts";

const RESPONSE_TIMEOUT = 15 * SECOND;
/** A relay waits as long for the receiver, and needs some time itself. */
const RELAY_TIMEOUT = RESPONSE_TIMEOUT + 5 * SECOND;
const MAX_EXCERPT_BYTES = 1024;

export interface SendDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly secretCipher: SecretCipher;
  readonly mailer: Mailer | null;
}

type SigningDeps = Pick<SendDeps, "clock" | "log" | "secretCipher">;

/** The receiver's response to an attempt. `retryAfter` in milliseconds, 0 for none. */
type Answer = Omit<AttemptResult, "endedAt"> & { readonly retryAfter: number };

/** A request that is built, or why there is none. */
type Prepared = DeliveryRequest | Answer;

/**
 * Sends a delivery to its endpoint: the signed event to the current URL of a webhook, or a message about it to a chat. Waits at most 15
 * seconds for the response of a receiver, 20 behind a relay. Redirects are not followed: they could lead to a URL that is not allowed. Never throws.
 */
export async function sendDelivery(deps: SendDeps, delivery: ClaimedDelivery): Promise<Answer> {
  if (delivery.channel === "email") return sendMail(deps, delivery);
  const prepared = await (delivery.channel === null ? prepareEvent(deps, delivery) : prepareMessage(deps, delivery));
  if (!("url" in prepared)) return prepared;
  const relay = delivery.channel === null ? relayFor(deps.settings, prepared.url) : null;
  if (relay === null) return post(deps, prepared);
  const answer = await postByRelay(deps, toRelay(relay, prepared));
  if (answer.errorClass === "relay") deps.log.error("delivery relay failed", { event: delivery.eventId, endpoint: delivery.endpointId });
  return answer;
}

/** An operator has taken the sender away since the address was added. */
const NO_SENDER = { code: "no sender", isOfRecipient: false } as const;

/** A message to an address. The platform takes it or says why not; it has no status. */
async function sendMail(deps: SendDeps, delivery: ClaimedDelivery): Promise<Answer> {
  const [encrypted = ""] = delivery.encryptedSecrets;
  const address = await decryptSecret(deps, encrypted, delivery, true);
  if (address === null) return failed("secret");
  const fault = deps.mailer === null ? NO_SENDER : await deps.mailer(mailAbout(deps.settings, address, delivery.body));
  if (fault === null) return { status: null, errorClass: null, excerpt: null, retryAfter: 0 };
  if (fault.isOfRecipient) return failed("connection", fault.code);
  deps.log.error("e-mail not sent", { event: delivery.eventId, endpoint: delivery.endpointId, code: fault.code });
  return failed("mailer", fault.code);
}

async function prepareEvent(deps: SendDeps, delivery: ClaimedDelivery): Promise<Prepared> {
  const { url, body } = delivery;
  const urlError = deliveryUrlError(url, delivery.environment, deps.settings);
  if (urlError !== null) return failed("forbidden_url", urlError);
  const headers = await signedHeaders(deps, delivery);
  return headers === null ? failed("secret") : { url, headers, body };
}

async function prepareMessage(deps: SendDeps, delivery: ClaimedDelivery): Promise<Prepared> {
  const [address = ""] = delivery.encryptedSecrets;
  const text = await decryptSecret(deps, address, delivery, true);
  return text === null ? failed("secret") : prepareChat(deps, parseJson(chatSchema, text), messageOf(delivery.body));
}

/** The rules for addresses may have become stricter since the chat was set. */
function prepareChat(deps: Pick<SendDeps, "settings">, chat: Chat, text: string): Prepared {
  const urlError = chatUrlError(deps, chat);
  return urlError === null ? chatRequest(deps, chat, text) : failed("forbidden_url", urlError);
}

/** Sends a message to a chat, once, and returns what it answered. Never throws. */
export async function sendToChat(deps: Pick<SendDeps, "clock" | "settings">, chat: Chat, text: string): Promise<Answer> {
  const prepared = prepareChat(deps, chat, text);
  return "url" in prepared ? post(deps, prepared) : prepared;
}

const failed = (errorClass: NonNullable<AttemptResult["errorClass"]>, excerpt: string | null = null): Answer => ({
  status: null,
  errorClass,
  excerpt,
  retryAfter: 0,
});

async function post(deps: Pick<SendDeps, "clock">, request: DeliveryRequest): Promise<Answer> {
  return ask(request, RESPONSE_TIMEOUT, (response) => answerOf(deps, response, response.status), failed);
}

/** What the receiver answered behind the relay. A failure of the relay itself is not the receiver's. */
async function postByRelay(deps: Pick<SendDeps, "clock">, request: DeliveryRequest): Promise<Answer> {
  const read = async (response: Response): Promise<Answer> => {
    const relayed = readRelayed(response.headers);
    if (relayed.kind === "answered") return answerOf(deps, response, relayed.status);
    await response.body?.cancel();
    return failed(relayed.kind === "failed" ? relayed.errorClass : "relay");
  };
  return ask(request, RELAY_TIMEOUT, read, () => failed("relay"));
}

/** Sends a request and reads the answer. `without`: what it comes to if none comes in time, or no connection. */
async function ask(
  { url, headers, body }: DeliveryRequest,
  timeOut: number,
  read: (response: Response) => Promise<Answer>,
  without: (errorClass: "timeout" | "connection") => Answer,
): Promise<Answer> {
  // Our own timer, cleared as soon as the request ends: a running timer counts against the runtime's limits.
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), timeOut);
  try {
    return await read(await fetchUpstream(url, { method: "POST", redirect: "manual", signal: over.signal, headers, body }));
  } catch {
    return without(over.signal.aborted ? "timeout" : "connection");
  } finally {
    clearTimeout(timer);
  }
}

async function answerOf({ clock }: Pick<SendDeps, "clock">, response: Response, status: number): Promise<Answer> {
  const retryAfter = retryAfterOf(response, clock.now());
  return { status, errorClass: errorOf(status), excerpt: await excerptOf(response), retryAfter };
}

/** A delivery with all data that its request is built from. */
export type SignableDelivery = Pick<ClaimedDelivery, "eventId" | "endpointId" | "name" | "number" | "body" | "encryptedSecrets">;

/** The headers of an attempt that starts now, with its signatures. Null if the current secret cannot be decrypted. */
export async function signedHeaders(deps: SigningDeps, delivery: SignableDelivery): Promise<Record<string, string> | null> {
  const timestamp = Math.floor(deps.clock.now() / SECOND);
  const signatures = await signaturesOf(deps, delivery, timestamp);
  return (
    signatures && {
      "Content-Type": "application/json",
      "User-Agent": "partner-payments-webhooks/1",
      "Service-Event-Id": delivery.eventId,
      "Service-Event-Type": delivery.name,
      "Service-Timestamp": String(timestamp),
      "Service-Delivery-Attempt": String(delivery.number),
      "Service-Signature": signatures.service,
      // The names of Standard Webhooks, so that its libraries verify a delivery.
      "webhook-id": delivery.eventId,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatures.standard,
    }
  );
}

function errorOf(status: number): AttemptResult["errorClass"] {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return "gone";
  return status >= 300 && status < 400 ? "redirect" : "status";
}

/**
 * The signatures, or null if the current secret cannot be decrypted. The attempt then fails and is recorded, so that an
 * operator sees the reason. The previous secret also signs if it can be decrypted.
 */
async function signaturesOf(deps: SigningDeps, delivery: SignableDelivery, timestamp: number): Promise<Signatures | null> {
  const opened = await Promise.all(
    delivery.encryptedSecrets.map((encrypted, index) => decryptSecret(deps, encrypted, delivery, index === 0)),
  );
  if (opened[0] == null) return null;
  const secrets = opened.filter((secret) => secret !== null);
  return signDelivery(delivery.eventId, timestamp, delivery.body, secrets);
}

async function decryptSecret(
  deps: SigningDeps,
  encrypted: string,
  { eventId, endpointId }: SignableDelivery,
  current: boolean,
): Promise<string | null> {
  try {
    return await deps.secretCipher.decrypt(encrypted, endpointId);
  } catch (thrown) {
    deps.log.error("signing secret not decrypted", { event: eventId, endpoint: endpointId, current, ...errorFields(thrown) });
    return null;
  }
}

/**
 * The first bytes of the response body; the rest is never read. Null if reading fails: the status was already received,
 * and only the status decides the result.
 */
async function excerptOf(response: Response): Promise<string | null> {
  try {
    return await readBeginning(response);
  } catch {
    return null;
  }
}

async function readBeginning(response: Response): Promise<string | null> {
  // A short answer, as nearly all are, is read at once: reading it as a stream costs more.
  if (isShort(response)) return response.text();
  const stream: ReadableStream<Uint8Array> | null = response.body;
  const reader = stream?.getReader();
  if (reader === undefined) return null;
  let bytes = new Uint8Array();
  while (bytes.length < MAX_EXCERPT_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes = Uint8Array.of(...bytes, ...value.slice(0, MAX_EXCERPT_BYTES - bytes.length));
  }
  await reader.cancel();
  return new TextDecoder().decode(bytes);
}

/**
 * By its Content-Length, which the connection enforces. Without one, or with compression, the body may have any length.
 */
function isShort({ headers }: Response): boolean {
  const length = headers.get("Content-Length") ?? "";
  return /^\d+$/.test(length) && Number(length) <= MAX_EXCERPT_BYTES && !headers.has("Content-Encoding");
}

/**
 * The `Retry-After` header (seconds or a date) in milliseconds, at most a day; 0 if the header is missing or invalid.
 */
function retryAfterOf(response: Response, now: number): number {
  const header = response.headers.get("Retry-After") ?? "";
  const milliseconds = /^\d+$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now;
  return milliseconds > 0 ? Math.min(milliseconds, MAX_RETRY_AFTER) : 0;
}
