import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { RemoteFault, reasonOf } from "../../../tools/cli/remote/edge.ts";
import { endingItself } from "../../../tools/local/interruption.ts";
import { callPartner, type PartnerEdge } from "./edge.ts";

/** How often new events are looked for, in milliseconds. */
const INTERVAL = 1_000;
const FORWARD_TIMEOUT = 15_000;
/** The newest events among which those are looked for that were sent again. */
const WATCHED = 50;

const feedSchema = z.object({
  data: z.array(z.object({ id: z.string(), event: z.string() })),
  next: z.string(),
  has_more: z.boolean(),
});
const listSchema = z.object({ data: z.array(z.object({ delivery: z.string(), type: z.string(), attempts: z.int(), state: z.string() })) });
const deliverySchema = z.object({
  attempt_list: z.array(z.object({ number: z.int(), manual: z.boolean() })),
  request: z.object({ headers: z.record(z.string(), z.string()).nullable(), body: z.string() }),
});
const webhooksSchema = z.object({ data: z.array(z.object({ webhook: z.string() })) });

/** An event to forward. */
interface Found {
  readonly id: string;
  readonly type: string;
}

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
  const begin = from === null ? "after=latest" : `since=${encodeURIComponent(new Date(from).toISOString())}`;
  const follower = new Follower(edge, forward, ended.signal);
  const { next } = await follower.read(begin);
  await sayBegin(edge, forward);
  await follower.follow(from === null ? `after=${next}` : begin);
}

async function sayBegin(edge: PartnerEdge, forward: string): Promise<void> {
  console.log(`Forwarding events of the test environment to ${forward}. Ctrl-C ends.`);
  const { data } = await callPartner(edge, "GET", "webhooks", webhooksSchema);
  if (data.some(({ webhook }) => webhook === "test")) return;
  console.log("You have registered no test webhook, so there is no signing secret: events go out unsigned. Register one to get it.");
}

/** Reads the feed of events, which misses none, and forwards what it has, oldest first. What is sent again by hand is forwarded again. */
class Follower {
  readonly #edge: PartnerEdge;
  readonly #forward: string;
  readonly #ended: AbortSignal;
  /** How often each event was forwarded: the number of the attempt in its header. */
  readonly #forwarded = new Map<string, number>();
  /** The attempts of the newest events, at the last look. */
  #attempts: ReadonlyMap<string, number> | null = null;

  constructor(edge: PartnerEdge, forward: string, ended: AbortSignal) {
    this.#edge = edge;
    this.#forward = forward;
    this.#ended = ended;
  }

  read(query: string): Promise<z.output<typeof feedSchema>> {
    return callPartner(this.#edge, "GET", `events?environment=test&limit=100&${query}`, feedSchema);
  }

  async follow(begin: string): Promise<void> {
    for (let query = begin; !this.#ended.aborted; ) {
      const page = await this.#orRetry(() => this.read(query));
      if (page === null) continue;
      for (const { id, event } of page.data) await this.#forwardUntilSent({ id, type: event });
      query = `after=${page.next}`;
      if (page.has_more) continue;
      for (const resent of (await this.#orRetry(() => this.#resent())) ?? []) await this.#forwardUntilSent(resent);
      await pause(INTERVAL, this.#ended);
    }
  }

  /** The newest events with an attempt by hand since the last look, oldest first. */
  async #resent(): Promise<Found[]> {
    const { data } = await callPartner(this.#edge, "GET", `deliveries?environment=test&limit=${WATCHED}`, listSchema);
    const before = this.#attempts;
    const found: Found[] = [];
    for (const { delivery, type, attempts } of data.toReversed()) {
      const known = before?.get(delivery);
      if (known === undefined || attempts <= known) continue;
      const { attempt_list } = await callPartner(this.#edge, "GET", `deliveries/${delivery}`, deliverySchema);
      if (attempt_list.some(({ number, manual }) => manual && number > known)) found.push({ id: delivery, type });
    }
    // Only now: a look that failed half-way begins anew.
    // An attempt that is under way is counted, and not in the list yet: the next look finds it.
    const seen = ({ delivery, attempts, state }: (typeof data)[number]) =>
      state === "sending" ? (before?.get(delivery) ?? attempts - 1) : attempts;
    this.#attempts = new Map(data.map((row) => [row.delivery, seen(row)]));
    return found;
  }

  /** Forwards an event once its request can be read. */
  async #forwardUntilSent(found: Found): Promise<void> {
    while (!this.#ended.aborted) {
      const delivery = await this.#orRetry(() => callPartner(this.#edge, "GET", `deliveries/${found.id}`, deliverySchema));
      if (delivery === null) continue;
      const attempt = (this.#forwarded.get(found.id) ?? 0) + 1;
      this.#forwarded.set(found.id, attempt);
      const time = new Date().toISOString().slice(11, 19);
      const answer = await send(this.#forward, found, { ...delivery.request, attempt }, this.#ended);
      console.log(`${time}  ${found.type}  ${found.id}  ${answer}`);
      return;
    }
  }

  /**
   * The answer of a call. Another failure than of the key is printed, and null: the next look tries again, not before the
   * service allows it.
   */
  async #orRetry<Answer>(call: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await call();
    } catch (thrown) {
      if (!(thrown instanceof RemoteFault) || thrown.status === 401 || thrown.status === 403) throw thrown;
      console.error(`${thrown.message} Trying again.`);
      await pause(Math.max(thrown.retryAfter, INTERVAL), this.#ended);
      return null;
    }
  }
}

/** Sends an event and describes the answer. */
async function send(
  forward: string,
  { id, type }: Found,
  request: z.output<typeof deliverySchema>["request"] & { readonly attempt: number },
  ended: AbortSignal,
): Promise<string> {
  const unsigned = { "Content-Type": "application/json", "Service-Event-Id": id, "Service-Event-Type": type };
  const began = Date.now();
  try {
    const response = await fetch(forward, {
      method: "POST",
      redirect: "manual",
      headers: { ...(request.headers ?? unsigned), "Service-Delivery-Attempt": String(request.attempt) },
      body: request.body,
      signal: AbortSignal.any([ended, AbortSignal.timeout(FORWARD_TIMEOUT)]),
    });
    await response.body?.cancel();
    return `${response.status} in ${Date.now() - began} ms`;
  } catch (thrown) {
    return `no answer: ${reasonOf(thrown)}`;
  }
}

async function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: ended }).catch(() => undefined);
}
