import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { RemoteFault, reasonOf } from "../remote/edge.ts";
import { callPartner, type PartnerEdge } from "../remote/partner-edge.ts";

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

/**
 * Forwards new events of the test environment to a URL, each with a new signature by the partner's own secret, and prints what
 * it answered. Ends by Ctrl-C. Returns 1 if the service refuses the first request.
 */
export async function listen(edgeOf: () => PartnerEdge, forward: string): Promise<number> {
  if (!URL.canParse(forward) || !/^https?:$/.test(new URL(forward).protocol)) {
    console.error(`${forward} is no http address. Give one such as http://localhost:3000/hook.`);
    return 2;
  }
  const ended = new AbortController();
  process.once("SIGINT", () => ended.abort());
  process.once("SIGTERM", () => ended.abort());
  try {
    const edge = edgeOf();
    const known = new Set((await newestEvents(edge)).map(({ event }) => event));
    await sayBegin(edge, forward);
    while (!ended.signal.aborted) {
      await pause(ended.signal);
      await forwardNew(edge, forward, known, ended.signal);
    }
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    console.error(thrown.message);
    return 1;
  }
}

async function sayBegin(edge: PartnerEdge, forward: string): Promise<void> {
  console.log(`Forwarding events of the test environment to ${forward}. Ctrl-C ends.`);
  const { data } = await callPartner(edge, "GET", "webhooks", webhooksSchema);
  if (data.some(({ environment }) => environment === "test")) return;
  console.log("You have registered no test webhook, so there is no signing secret: events go out unsigned. Register one to get it.");
}

async function forwardNew(edge: PartnerEdge, forward: string, known: Set<string>, ended: AbortSignal): Promise<void> {
  const found = await orNothing(() => newestEvents(edge));
  for (const listed of found.filter(({ event }) => !known.has(event)).toReversed()) {
    if (ended.aborted) return;
    const [delivery] = await orNothing(async () => [await callPartner(edge, "GET", `deliveries/${listed.event}`, deliverySchema)]);
    // The next look finds it again.
    if (delivery === undefined) return;
    known.add(listed.event);
    console.log(
      `${new Date().toISOString().slice(11, 19)}  ${listed.type}  ${listed.event}  ${await send(forward, listed, delivery.request)}`,
    );
  }
}

/** The events of the last minute, newest first. */
async function newestEvents(edge: PartnerEdge): Promise<Listed[]> {
  const since = new Date(Date.now() - OVERLAP).toISOString();
  const found: Listed[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = new URLSearchParams({ environment: "test", since, limit: "100", ...(cursor === "" ? {} : { cursor }) });
    const page: z.output<typeof pageSchema> = await callPartner(edge, "GET", `deliveries?${query.toString()}`, pageSchema);
    found.push(...page.data);
    cursor = page.next;
  }
  return found;
}

/** Sends an event and describes the answer. */
async function send(forward: string, { event, type }: Listed, request: z.output<typeof deliverySchema>["request"]): Promise<string> {
  const unsigned = { "Content-Type": "application/json", "Service-Event-Id": event, "Service-Event-Type": type };
  const began = Date.now();
  try {
    const response = await fetch(forward, {
      method: "POST",
      redirect: "manual",
      headers: request.headers ?? unsigned,
      body: request.body,
      signal: AbortSignal.timeout(FORWARD_TIMEOUT),
    });
    await response.body?.cancel();
    return `${response.status} in ${Date.now() - began} ms`;
  } catch (thrown) {
    return `no answer: ${reasonOf(thrown)}`;
  }
}

/** The answer of a call. A failure is printed, and the next look tries again. */
async function orNothing<Answer>(call: () => Promise<Answer[]>): Promise<Answer[]> {
  try {
    return await call();
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    console.error(`${thrown.message} Trying again.`);
    return [];
  }
}

async function pause(ended: AbortSignal): Promise<void> {
  await sleep(INTERVAL, undefined, { signal: ended }).catch(() => undefined);
}
