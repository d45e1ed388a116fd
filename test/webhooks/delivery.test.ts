import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { endpoints, events } from "../../src/db/schema/index.ts";
import { paymentExample } from "../../src/views/transaction.ts";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import { signDelivery } from "../../src/webhooks/delivery/signature.ts";
import { call, REGISTER } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { attemptsOf, clearTheWay, deliveryOf, received as receivedAt, recordPayment } from "../support/deliveries.ts";
import { DAY, HOUR, MINUTE, pass, SECOND } from "../support/later.ts";
import { control } from "../support/stack.ts";
import { fieldOf, updateRows } from "../support/tables.ts";

const deps = cellDeps();
let secret = "";

beforeAll(async () => {
  const { body } = await call(REGISTER, { test_url: "http://sandbox.test:8788/inbox/delivery" });
  secret = body.registered[0].signing_secret;
});
afterEach(() => vi.useRealTimers());
// What one test did to the endpoint, and left on its way to it, is nothing to the next.
beforeEach(clearTheWay);

const record = (environment: "live" | "test" = "test", movementId: string = `processor:txn_${crypto.randomUUID()}`) =>
  recordPayment({ environment, movementId });
const received = (id: string) => receivedAt("delivery", id);
const answerWith = (answer: object) => control("/inbox/delivery", answer);

describe("a delivery", () => {
  // interface W.1
  it("carries the event, signed, and is made once", async () => {
    const id = await record();
    const before = Math.floor(Date.now() / SECOND);
    await attemptDelivery(deps, id);
    const [came] = received(id);
    expect(JSON.parse(came?.body ?? "")).toEqual({
      id,
      event: "Processor.payment.succeeded",
      environment: "test",
      created_at: expect.stringMatching(/Z$/),
      transaction: { ...paymentExample, id: expect.stringMatching(/^processor:txn_/), environment: "test" },
      discount: null,
    });
    const timestamp = Number(came?.headers["service-timestamp"]);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(Date.now() / SECOND);
    expect(came?.headers).toMatchObject({
      "content-type": "application/json",
      "service-event-type": "Processor.payment.succeeded",
      "service-delivery-attempt": "1",
      "service-signature": (await signDelivery(id, timestamp, came?.body ?? "", [secret])).service,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": (await signDelivery(id, timestamp, came?.body ?? "", [secret])).standard,
    });
    expect(await deliveryOf(id)).toMatchObject({ state: "succeeded", attempts: 1 });
    expect(await attemptsOf(id)).toMatchObject([{ number: 1, status: 200, error_class: null, excerpt: "taken", manual: 0 }]);
    await attemptDelivery(deps, id);
    expect(received(id)).toHaveLength(1);
  });

  it("is sent once, however many messages speak of it", async () => {
    const id = await record();
    await Promise.all(Array.from({ length: 10 }, () => attemptDelivery(deps, id)));
    expect(received(id)).toHaveLength(1);
  });

  it("is not made for a movement that was recorded before", async () => {
    const first = await record("test", "processor:txn_once");
    await attemptDelivery(deps, first);
    const second = await record("test", "processor:txn_once");
    expect(second).toBe(first);
    expect(await deliveryOf(first)).toMatchObject({ state: "succeeded", attempts: 1 });
  });

  // interface W.1
  it("is not made where the partner has no endpoint", async () => {
    expect(await deliveryOf(await record("live"))).toMatchObject({ state: "no_endpoint", attempts: 0 });
  });

  it("does nothing for an event that nobody knows", async () => {
    await expect(attemptDelivery(deps, "evt_unknown")).resolves.toBeUndefined();
  });
});

describe("a failed attempt", () => {
  it.each([
    ["a 500", { status: 500 }, { status: 500, error_class: "status" }],
    ["a 404", { status: 404 }, { status: 404, error_class: "status" }],
    ["a redirect, which is not followed", { status: 302 }, { status: 302, error_class: "redirect" }],
    ["a 304", { status: 304 }, { status: 304, error_class: "redirect" }],
  ])("is recorded for %s", async (_what, answer, recorded) => {
    const id = await record();
    await answerWith({ ...answer, times: 1 });
    await attemptDelivery(deps, id);
    expect(await attemptsOf(id)).toMatchObject([recorded]);
    expect(await deliveryOf(id)).toMatchObject({ state: "pending", attempts: 1 });
  });

  it("is made good after about five seconds, with the same id and body and a signature of its own", async () => {
    pass(0);
    const id = await record();
    await answerWith({ status: 503, times: 1 });
    await attemptDelivery(deps, id);
    const wait = ((await deliveryOf(id))?.next_attempt_at ?? 0) - Date.now();
    expect(wait).toBeGreaterThan(4 * SECOND);
    expect(wait).toBeLessThan(5.6 * SECOND);
    await attemptDelivery(deps, id);
    expect(received(id)).toHaveLength(1);
    pass(6 * SECOND);
    await attemptDelivery(deps, id);
    const [first, second] = received(id);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["service-delivery-attempt"]).toBe("2");
    expect(second?.headers["service-timestamp"]).not.toBe(first?.headers["service-timestamp"]);
    expect(second?.headers["service-signature"]).not.toBe(first?.headers["service-signature"]);
    expect(await deliveryOf(id)).toMatchObject({ state: "succeeded", attempts: 2 });
  });

  it("is the last after ten", async () => {
    const id = await record();
    await answerWith({ status: 500 });
    for (let number = 1; number <= 10; number += 1) {
      await attemptDelivery(deps, id);
      expect(await deliveryOf(id)).toMatchObject({ attempts: number, state: number === 10 ? "exhausted" : "pending" });
      pass(((await deliveryOf(id))?.next_attempt_at ?? 0) - Date.now() + 1);
    }
    await attemptDelivery(deps, id);
    await cron.sweep("deliveries");
    expect(received(id)).toHaveLength(10);
    expect(await attemptsOf(id)).toHaveLength(10);
    await answerWith({ status: 200 });
  });

  it("does not delay what is due to others: the endpoint's first failure is noted, and forgotten with a success", async () => {
    const failing = () => fieldOf(endpoints, "failing_since", { id: "ep_acme_test" });
    await answerWith({ status: 500, times: 1 });
    await attemptDelivery(deps, await record());
    const since = await failing();
    expect(since).toEqual(expect.any(Number));
    await answerWith({ status: 500, times: 1 });
    await attemptDelivery(deps, await record());
    expect(await failing()).toBe(since);
    await attemptDelivery(deps, await record());
    expect(await failing()).toBeNull();
  });

  it("is one when a secret cannot be opened, and nothing is sent", async () => {
    const id = await record();
    const locked = { ...deps, secretCipher: { ...deps.secretCipher, decrypt: () => Promise.reject(new Error("no such key")) } };
    await attemptDelivery(locked, id);
    expect(received(id)).toHaveLength(0);
    expect(await attemptsOf(id)).toMatchObject([{ status: null, error_class: "secret" }]);
  });

  it("is no attempt of the schedule when a secret cannot be opened, not even after the ninth: the next comes in five minutes", async () => {
    pass(0);
    const id = await record();
    await updateRows(events, { attempts: 9 }, { id: id });
    const enqueued: [readonly string[], number | undefined][] = [];
    const deliveryQueue = {
      send: (ids: readonly string[], wait?: number) => {
        enqueued.push([ids, wait]);
        return Promise.resolve();
      },
    };
    const secretCipher = { ...deps.secretCipher, decrypt: () => Promise.reject(new Error("no such key")) };
    await attemptDelivery({ ...deps, secretCipher, deliveryQueue }, id);
    expect(await deliveryOf(id)).toMatchObject({ state: "pending", attempts: 10, unscheduled_attempts: 1 });
    const [[ids, wait] = [[], 0]] = enqueued;
    expect(ids).toEqual([id]);
    expect(wait).toBeGreaterThan(5 * MINUTE - 30 * SECOND);
    expect(wait).toBeLessThanOrEqual(5 * MINUTE);
  });

  it("is one when the URL may not be reached any more", async () => {
    const id = await record();
    await attemptDelivery({ ...deps, settings: { ...deps.settings, local: false, apiOrigin: "http://sandbox.test:8788" } }, id);
    expect(received(id)).toHaveLength(0);
    expect(await attemptsOf(id)).toMatchObject([{ status: null, error_class: "forbidden_url" }]);
  });
});

it("never follows a redirect", async () => {
  const asked: RequestInit[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementationOnce((_url, init) => {
    asked.push(init as RequestInit);
    return Promise.resolve(new Response(null, { status: 307, headers: { Location: "http://169.254.169.254/" } }));
  });
  const id = await record();
  await attemptDelivery(deps, id);
  expect(asked).toMatchObject([{ method: "POST", redirect: "manual", signal: expect.any(AbortSignal) }]);
  expect(await attemptsOf(id)).toMatchObject([{ status: 307, error_class: "redirect" }]);
});

describe("a receiver", () => {
  const answers = (response: () => Promise<Response>) => vi.spyOn(globalThis, "fetch").mockImplementationOnce(response);

  it("that says 200 has taken it, even where its body breaks off", async () => {
    const id = await record();
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(new Error("reset"));
      },
    });
    answers(() => Promise.resolve(new Response(broken, { status: 200 })));
    await attemptDelivery(deps, id);
    expect(await deliveryOf(id)).toMatchObject({ state: "succeeded" });
  });

  it("is read no further than a kibibyte", async () => {
    const id = await record();
    answers(() => Promise.resolve(new Response("x".repeat(5_000), { status: 400 })));
    await attemptDelivery(deps, id);
    expect(String((await attemptsOf(id))[0]?.excerpt)).toBe("x".repeat(1024));
  });

  it.each([
    ["as long as it says", { "Content-Length": "1024" }, "x".repeat(1024), "x".repeat(1024)],
    ["longer than a kibibyte, as it says", { "Content-Length": "1025" }, "x".repeat(1025), "x".repeat(1024)],
    ["compressed, so its length says nothing", { "Content-Length": "20", "Content-Encoding": "br" }, "x".repeat(5_000), "x".repeat(1024)],
    ["of a length that is no number", { "Content-Length": "-1" }, "x".repeat(5_000), "x".repeat(1024)],
    ["empty", { "Content-Length": "0" }, "", ""],
  ])("whose body is %s leaves at most a kibibyte", async (_what, headers, body, excerpt) => {
    const id = await record();
    answers(() => Promise.resolve(new Response(new Blob([body]).stream(), { status: 400, headers, encodeBody: "manual" })));
    await attemptDelivery(deps, id);
    expect(String((await attemptsOf(id))[0]?.excerpt)).toBe(excerpt);
  });

  it.each([
    ["3600", HOUR],
    ["604800", DAY],
    ["nonsense", 5 * SECOND],
    ["-5", 5 * SECOND],
  ])("that asks for Retry-After: %s is left alone so long", async (header, wait) => {
    pass(0);
    const id = await record();
    answers(() => Promise.resolve(new Response(null, { status: 503, headers: { "Retry-After": header } })));
    await attemptDelivery(deps, id);
    const waits = ((await deliveryOf(id))?.next_attempt_at ?? 0) - Date.now();
    expect(waits).toBeGreaterThan(wait * 0.89);
    expect(waits).toBeLessThan(wait * 1.11);
  });

  it("that never answers is given up after 15 seconds", async () => {
    const id = await record();
    const { setTimeout } = globalThis;
    const waits: unknown[] = [];
    vi.stubGlobal("setTimeout", (task: () => void, wait: number) => {
      waits.push(wait);
      return setTimeout(task, 20);
    });
    vi.spyOn(globalThis, "fetch").mockImplementationOnce(
      (_url, init) =>
        new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error))),
    );
    await attemptDelivery(deps, id);
    vi.unstubAllGlobals();
    // A batch that is worked off meanwhile waits by timers of its own.
    expect(waits.filter((wait) => wait !== SECOND / 2 && wait !== 0)).toEqual([15 * SECOND]);
    expect(await attemptsOf(id)).toMatchObject([{ status: null, error_class: "timeout" }]);
  });

  it("that cannot be reached has failed", async () => {
    const id = await record();
    answers(() => Promise.reject(new TypeError("connection refused")));
    await attemptDelivery(deps, id);
    expect(await attemptsOf(id)).toMatchObject([{ status: null, error_class: "connection" }]);
  });
});

describe("the sweep", () => {
  it("wakes what no message woke", async () => {
    const id = await record();
    pass(MINUTE);
    await cron();
    await expect.poll(() => received(id).length).toBe(1);
  });

  it("gives back a delivery whose consumer died with it", async () => {
    const id = await record();
    await updateRows(events, { state: "sending", claimed_at: Date.now() }, { id: id });
    pass(MINUTE);
    await cron.sweep("deliveries");
    expect(await deliveryOf(id)).toMatchObject({ state: "sending" });
    pass(90 * SECOND);
    await cron.sweep("deliveries");
    await expect.poll(() => received(id).length).toBe(1);
  });

  it("lets a consumer that was thought dead change nothing", async () => {
    const id = await record();
    const claimed = Date.now();
    const slow = vi.spyOn(globalThis, "fetch").mockImplementationOnce(async () => {
      await updateRows(events, { claimed_at: claimed + 5_000 }, { id: id });
      return new Response(null, { status: 500 });
    });
    await attemptDelivery(deps, id);
    expect(slow).toHaveBeenCalled();
    expect(await deliveryOf(id)).toMatchObject({ state: "sending", attempts: 1 });
  });
});
