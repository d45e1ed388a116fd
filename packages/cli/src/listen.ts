import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { RemoteFault, reasonOf } from "../../../tools/cli/remote/edge.ts";
import { endingItself } from "../../../tools/local/interruption.ts";
import { callPartner, type PartnerEdge } from "./edge.ts";

/** How often new events are looked for, in milliseconds. */
const INTERVAL = 1_000;
/** An event may become visible this long after it was recorded, in milliseconds. */
const OVERLAP = 60_000;
const FORWARD_TIMEOUT = 15_000;

const pageSchema = z.object({
  data: z.array(z.object({ event: z.string(), type: z.string(), created_at: z.string() })),
  next: z.string().nullable(),
});
const deliverySchema = z.object({
  request: z.object({ headers: z.record(z.string(), z.string()).nullable(), body: z.string() }),
});
const webhooksSchema = z.object({ data: z.array(z.object({ environment: z.string() })) });
type Listed = z.output<typeof pageSchema>["data"][number];

/** Where events go, and from which time on; without one, from now on. */
interface Forwarding {
  readonly forward: string;
  readonly since: string | undefined;
}

/**
 * Forwards new events of the test environment to a URL, each with a new signature by the partner's own secret, and prints what
 * it answered. Ends by Ctrl-C. Returns 1 if the service refuses the first request.
 */
export async function listen(edgeOf: () => PartnerEdge, { forward, since }: Forwarding): Promise<number> {
  if (!URL.canParse(forward) || !/^https?:$/.test(new URL(forward).protocol)) {
    console.error(`${forward} is no http address. Give one such as http://localhost:3000/hook.`);
    return 2;
  }
  const from = since === undefined ? null : Date.parse(since);
  if (Number.isNaN(from)) {
    console.error(`--since is a time such as 2026-11-27T08:00:00Z, and not ${JSON.stringify(since)}.`);
    return 2;
  }
  try {
    await endingItself((interrupted) => forwardUntil(interrupted, edgeOf(), forward, from));
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    console.error(thrown.message);
    return 1;
  }
}

async function forwardUntil(interrupted: Promise<void>, edge: PartnerEdge, forward: string, from: number | null): Promise<void> {
  const ended = new AbortController();
  void interrupted.then(() => ended.abort());
  const follower = from === null ? await followFromNow(edge) : { begin: from, position: from, known: new Set<string>() };
  await sayBegin(edge, forward);
  while (!ended.signal.aborted) await forwardNew(edge, forward, follower, ended.signal);
}

/** What was forwarded. All times are the service's. */
interface Follower {
  /** Earlier events are not looked for; in Unix milliseconds. */
  readonly begin: number;
  /** The creation time of the newest event up to which all are forwarded. */
  position: number;
  readonly known: Set<string>;
}

/** Begins behind the newest event. */
async function followFromNow(edge: PartnerEdge): Promise<Follower> {
  const { data } = await callPartner(edge, "GET", "deliveries?environment=test&limit=1", pageSchema);
  const [newest] = data;
  if (newest === undefined) return { begin: 0, position: 0, known: new Set() };
  const position = Date.parse(newest.created_at);
  const known = await eventsSince(edge, position - OVERLAP);
  return { begin: position - OVERLAP, position, known: new Set(known.map(({ event }) => event)) };
}

async function sayBegin(edge: PartnerEdge, forward: string): Promise<void> {
  console.log(`Forwarding events of the test environment to ${forward}. Ctrl-C ends.`);
  const { data } = await callPartner(edge, "GET", "webhooks", webhooksSchema);
  if (data.some(({ environment }) => environment === "test")) return;
  console.log("You have registered no test webhook, so there is no signing secret: events go out unsigned. Register one to get it.");
}

/** Waits, looks for new events, and forwards them, oldest first. An event that cannot be read now is tried again. */
async function forwardNew(edge: PartnerEdge, forward: string, follower: Follower, ended: AbortSignal): Promise<void> {
  await pause(INTERVAL, ended);
  if (ended.aborted) return;
  const since = Math.max(follower.begin, follower.position - OVERLAP);
  const found = (await orRetry(ended, () => eventsSince(edge, since))) ?? [];
  let isComplete = true;
  for (const listed of found.filter(({ event }) => !follower.known.has(event)).toReversed()) {
    if (ended.aborted) return;
    const delivery = await orRetry(ended, () => callPartner(edge, "GET", `deliveries/${listed.event}`, deliverySchema));
    if (delivery === null) {
      isComplete = false;
      continue;
    }
    follower.known.add(listed.event);
    const time = new Date().toISOString().slice(11, 19);
    console.log(`${time}  ${listed.type}  ${listed.event}  ${await send(forward, listed, delivery.request, ended)}`);
    if (isComplete) follower.position = Math.max(follower.position, Date.parse(listed.created_at));
  }
}

/** The events since a time, newest first. */
async function eventsSince(edge: PartnerEdge, since: number): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = new URLSearchParams({
      environment: "test",
      limit: "100",
      since: new Date(since).toISOString(),
      ...(cursor === "" ? {} : { cursor }),
    });
    const page: z.output<typeof pageSchema> = await callPartner(edge, "GET", `deliveries?${query.toString()}`, pageSchema);
    found.push(...page.data);
    cursor = page.next;
  }
  return found;
}

/** Sends an event and describes the answer. */
async function send(
  forward: string,
  { event, type }: Listed,
  request: z.output<typeof deliverySchema>["request"],
  ended: AbortSignal,
): Promise<string> {
  const unsigned = { "Content-Type": "application/json", "Service-Event-Id": event, "Service-Event-Type": type };
  const began = Date.now();
  try {
    const response = await fetch(forward, {
      method: "POST",
      redirect: "manual",
      headers: request.headers ?? unsigned,
      body: request.body,
      signal: AbortSignal.any([ended, AbortSignal.timeout(FORWARD_TIMEOUT)]),
    });
    await response.body?.cancel();
    return `${response.status} in ${Date.now() - began} ms`;
  } catch (thrown) {
    return `no answer: ${reasonOf(thrown)}`;
  }
}

/**
 * The answer of a call. Another failure than of the key is printed, and null: the next look tries again, not before the
 * service allows it.
 */
async function orRetry<Answer>(ended: AbortSignal, call: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await call();
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault) || thrown.status === 401 || thrown.status === 403) throw thrown;
    console.error(`${thrown.message} Trying again.`);
    await pause(thrown.retryAfter, ended);
    return null;
  }
}

async function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: ended }).catch(() => undefined);
}
