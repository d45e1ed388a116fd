import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { endpointIdOf } from "../../src/core/ids.ts";
import type { Log } from "../../src/core/log.ts";
import { messagesAtOnce } from "../../src/core/message-queue.ts";
import { runBatch } from "../../src/db/client.ts";
import type { CellDeps } from "../../src/deps.ts";
import { attemptDelivery, Deliverer } from "../../src/webhooks/delivery/deliver.ts";
import { sweepDeliveries } from "../../src/webhooks/delivery/sweep.ts";
import { upsertEndpoint } from "../../src/webhooks/endpoints/store.ts";
import { cellDeps } from "../support/cells.ts";
import { atWork, Consumer, letConsumersDie } from "../support/consumers.ts";
import { endpointOf, partnersAt, recordPayments } from "../support/deliveries.ts";
import { MINUTE, SECOND } from "../support/later.ts";
import { resetEffects } from "../support/observe.ts";
import { isFull } from "../support/scale.ts";

/**
 * Ten thousand events for fifty receivers that fail three times in ten, while consumers die at any of their steps and
 * messages are lost and doubled. Time and chance are the test's own, the network and the queue are played; all else
 * is real. By default a fiftieth of it; `npm run test:full` runs it all.
 */

const EVENTS = isFull ? 10_000 : 200;
const ENDPOINTS = isFull ? 50 : 20;
const CONSUMERS = 20;
/** The share of trips to the database at which a consumer dies. The first that has heard of a success dies before it records it. */
const DEATHS = 0.05;

/** What becomes of a request: whether the receiver takes the event, and what the sender hears of it. */
const FATES = [
  { share: 0.7, taken: true, hears: "200" },
  { share: 0.1, taken: false, hears: "500" },
  { share: 0.04, taken: false, hears: "reset" },
  { share: 0.03, taken: true, hears: "reset" },
  { share: 0.07, taken: false, hears: "nothing" },
  { share: 0.06, taken: true, hears: "too late" },
] as const;

let seed = 20_261_121;
function random(): number {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return seed / 2 ** 32;
}

/** Of an event's last attempts, none fails: the schedule's end is tested elsewhere, and here it would come by chance. */
const SURE_FROM = 8;

function drawFate(number: number) {
  if (number >= SURE_FROM) return FATES[0];
  let left = random();
  for (const fate of FATES) {
    left -= fate.share;
    if (left < 0) return fate;
  }
  return FATES[0];
}

interface Sent {
  readonly eventId: string;
  readonly number: number;
  readonly url: string;
  readonly taken: boolean;
}

/** The receivers. The first of them says from the middle of it all on that it is gone, until it is back. */
function playReceivers(leavingUrl: string) {
  const sent: Sent[] = [];
  let isBack = false;
  vi.spyOn(globalThis, "fetch").mockImplementation((url, init) => {
    const headers = new Headers(init?.headers);
    const request = {
      eventId: headers.get("Service-Event-Id") ?? "",
      number: Number(headers.get("Service-Delivery-Attempt")),
      url: new Request(url).url,
    };
    if (request.url === leavingUrl && !isBack && sent.length > EVENTS / 2) {
      sent.push({ ...request, taken: false });
      return Promise.resolve(new Response(null, { status: 410 }));
    }
    const { taken, hears } = drawFate(request.number);
    sent.push({ ...request, taken });
    const consumer = atWork();
    consumer?.pass(hears === "nothing" || hears === "too late" ? 15 * SECOND : SECOND / 20);
    if (consumer !== undefined && hears === "200") consumer.heardSuccess = true;
    if (hears === "200") return Promise.resolve(new Response("taken"));
    if (hears === "500") return Promise.resolve(new Response("failed", { status: 500 }));
    if (hears === "reset") return Promise.reject(new TypeError("reset"));
    return new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new DOMException("over", "AbortError"))));
  });
  return {
    sent,
    comeBack() {
      isBack = true;
    },
  };
}

/** Whoever waits 15 seconds for an answer gets the time-out at once; the consumer's own clock has moved on. */
function hurryTimers(): void {
  const { setTimeout } = globalThis;
  vi.stubGlobal("setTimeout", (task: () => void, wait = 0) => setTimeout(task, wait < 15 * SECOND ? wait : 0));
}

/** A queue that loses one message in ten, and doubles another. */
function playQueue(clock: () => number) {
  const messages: { at: number; id: string }[] = [];
  return {
    messages,
    deliveryQueue: {
      send(ids: readonly string[], wait = 0) {
        for (const id of ids) {
          const fate = random();
          const copies = fate < 0.1 ? 0 : fate < 0.2 ? 2 : 1;
          for (let copy = 0; copy < copies; copy += 1) messages.push({ at: clock() + wait, id });
        }
        return Promise.resolve();
      },
    },
  };
}

const count = async (sql: string) => (await env.CELL_1.prepare(sql).first<number>("count")) ?? Number.NaN;

afterEach(() => {
  resetEffects();
  vi.unstubAllGlobals();
});

it(`delivers ${EVENTS} events, each attempt once and on record, and none to an endpoint that is gone`, { timeout: 1_200_000 }, async () => {
  let now = Date.now();
  const clock = { now: () => now };
  const { messages, deliveryQueue } = playQueue(clock.now);
  const quietly: Log = { info: () => undefined, error: () => undefined, with: () => quietly };
  const deps: CellDeps = { ...cellDeps(), clock, deliveryQueue, log: quietly };
  const partners = await partnersAt(Array.from({ length: ENDPOINTS }, (_, index) => `https://shop-${index}.example/hook`));
  const [leaving = ""] = partners;
  const leavingUrl = "https://shop-0.example/hook";
  const { sent, comeBack } = playReceivers(leavingUrl);
  hurryTimers();
  const events = await recordPayments(partners, EVENTS, now);
  await deliveryQueue.send(events);
  letConsumersDie();

  let died = 0;
  let isSuccessLost = false;
  const dies = () => {
    if (!isSuccessLost && atWork()?.heardSuccess) {
      isSuccessLost = true;
      return "before";
    }
    return random() < DEATHS ? (random() < 0.5 ? "before" : "after") : null;
  };
  const consume = async (ids: readonly string[]) => {
    const consumer = new Consumer(clock.now, dies);
    const own = { ...deps, clock: consumer.clock };
    const deliverer = new Deliverer(own);
    await consumer.live(() => Promise.all(ids.map((id) => attemptDelivery(own, id, deliverer))));
    if (consumer.died) died += 1;
  };

  /** Once the endpoint that left is suspended, nothing more is sent to it. */
  let sentAtLeaving: number | null = null;
  const seeLeaving = async () => {
    if ((await endpointOf(endpointIdOf(leaving, "test")))?.status !== "suspended") return;
    const sentToIt = sent.filter(({ url }) => url === leavingUrl).length;
    sentAtLeaving ??= sentToIt;
    expect(sentToIt).toBe(sentAtLeaving);
  };

  /** Works the queue off, and runs the cron when nothing else happens, until nothing is on its way. */
  const settle = async () => {
    while ((await count("SELECT count(*) AS count FROM events WHERE state IN ('pending', 'sending')")) > 0) {
      messages.sort((left, right) => left.at - right.at);
      const due = messages.splice(0, messages.findIndex(({ at }) => at > now) >>> 0);
      if (due.length === 0) {
        const next = await env.CELL_1.prepare(
          "SELECT min(CASE state WHEN 'sending' THEN claimed_at ELSE next_attempt_at END) AS at FROM events WHERE state IN ('pending', 'sending')",
        ).first<number>("at");
        now = Math.max(now + MINUTE, Math.min(messages[0]?.at ?? Number.POSITIVE_INFINITY, next ?? now));
        await sweepDeliveries(deps);
        continue;
      }
      await Promise.all(
        Array.from({ length: CONSUMERS }, async () => {
          while (due.length > 0) await consume(due.splice(0, messagesAtOnce.deliveries).map(({ id }) => id));
        }),
      );
      await seeLeaving();
      now += SECOND;
    }
  };

  await settle();
  expect(sentAtLeaving).toBeGreaterThan(0);
  const kept = await count("SELECT count(*) AS count FROM events WHERE state = 'suspended'");
  expect(kept).toBeGreaterThan(0);
  expect(await count("SELECT count(*) AS count FROM events WHERE state = 'succeeded'")).toBe(EVENTS - kept);

  // It registers again, and gets what was kept for it.
  await runBatch(deps.db, upsertEndpoint(deps.db, { partnerId: leaving, environment: "test", url: leavingUrl }, now));
  comeBack();
  sentAtLeaving = null;
  await settle();
  expect(await count("SELECT count(*) AS count FROM events WHERE state = 'succeeded'")).toBe(EVENTS);

  // Every event was taken, and every request stands in the record under a number of its own.
  const taken = sent.filter((request) => request.taken);
  expect(new Set(taken.map(({ eventId }) => eventId)).size).toBe(EVENTS);
  expect(new Set(sent.map(({ eventId, number }) => `${eventId} ${number}`)).size).toBe(sent.length);
  const { results } = await env.CELL_1.prepare("SELECT event_id, number, error_class FROM delivery_attempts").all<{
    event_id: string;
    number: number;
    error_class: string | null;
  }>();
  const recorded = new Map(results.map((row) => [`${row.event_id} ${row.number}`, row.error_class]));
  expect(sent.filter(({ eventId, number }) => !recorded.has(`${eventId} ${number}`))).toEqual([]);

  // A duplicate is a request that was taken and whose success nobody came to know, and nothing else.
  const unknown = taken.map(({ eventId, number }) => recorded.get(`${eventId} ${number}`)).filter((error) => error !== null);
  expect(taken.length - EVENTS).toBe(unknown.length);
  expect(new Set(unknown)).toEqual(new Set(["connection", "timeout", "lost"]));
  expect(died).toBeGreaterThan(0);
});
