import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { processBatch } from "../../src/runners/queues.ts";
import { type Claim, type ClaimedDelivery, claimDeliveries } from "../../src/webhooks/delivery/claims.ts";
import { attemptDelivery, Deliverer } from "../../src/webhooks/delivery/deliver.ts";
import { recordSuccesses } from "../../src/webhooks/delivery/successes.ts";
import { CELL, cellDeps } from "../support/cells.ts";
import { attemptsOf, clearTheWay, deliveryOf, endpointOf, partnersAt, recordPayment, recordPayments } from "../support/deliveries.ts";
import { MINUTE, realTime } from "../support/later.ts";
import { aroundEffects, costs, countEffects, resetEffects } from "../support/observe.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** What the deliveries of one batch of messages share, and what they must not. */

const deps = { ...cellDeps(), deliveryQueue: { send: () => Promise.resolve() } };
const URLS = Array.from({ length: 5 }, (_, index) => `https://together-${index}.example/`);
let partners: readonly string[] = [];

beforeAll(async () => {
  partners = await partnersAt(URLS);
});
beforeEach(clearTheWay);

const delivered = ({ claimedAt }: ClaimedDelivery, after = 5) => ({
  errorClass: null,
  status: 200,
  excerpt: "",
  endedAt: claimedAt + after,
});
const claimedOf = (claim: Claim | undefined) =>
  claim?.kind === "claimed" ? claim.delivery : expect.fail(`it is ${claim?.kind ?? "missing"}, and not claimed`);
const claimAll = async (ids: readonly string[], now = Date.now()) => (await claimDeliveries(deps.db, ids, now)).map(claimedOf);
const payments = (count: number, partnerIds = partners) => recordPayments(partnerIds, count, Date.now());
const wait = (id: string, since: number) =>
  env.CELL_1.prepare("UPDATE events SET waiting = 1, next_attempt_at = ? WHERE id = ?").bind(since, id).run();

/** A batch of the queue, and which of its messages were to come again. */
async function consume(ids: readonly string[]): Promise<string[]> {
  const again: string[] = [];
  const messages = ids.map((id) => ({ body: { databaseName: CELL, id }, ack: () => undefined, retry: () => void again.push(id) }));
  await processBatch(cellDeps(), { queue: "deliveries", messages } as unknown as MessageBatch, () => undefined);
  return again;
}

describe("a batch of messages", () => {
  it("takes two round trips for five deliveries that five receivers take", async () => {
    vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(new Response("taken")));
    const ids = await payments(5);
    const { counts } = await countEffects(() => consume(ids));
    expect(counts).toEqual(costs({ d1: 2 }));
    for (const id of ids) {
      expect(await deliveryOf(id)).toMatchObject({ state: "succeeded", attempts: 1, claimed_at: null });
      expect(await attemptsOf(id)).toMatchObject([{ number: 1, status: 200, error_class: null, excerpt: "taken" }]);
    }
  });

  it("sends an event once whose message comes twice", async () => {
    const sent = vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(new Response("taken")));
    const [id = ""] = await payments(1);
    expect(await consume([id, id])).toEqual([]);
    expect(sent).toHaveBeenCalledTimes(1);
  });

  it("comes again as a whole where its claim fails, and nothing was sent", async () => {
    const sent = vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(new Response("taken")));
    const ids = await payments(3);
    aroundEffects((effect, perform) => (effect === "d1" ? Promise.reject(new Error("D1_ERROR: out")) : perform()));
    expect(await consume(ids)).toEqual(ids);
    resetEffects();
    expect(sent).not.toHaveBeenCalled();
  });

  it("records a success while another receiver hangs", async () => {
    const { promise: held, resolve: releaseBatch } = Promise.withResolvers<void>();
    vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
      if (new Request(url).url === URLS[0]) await held;
      return new Response("taken");
    });
    const ids = await payments(5);
    const deliverer = new Deliverer(deps);
    const all = Promise.all(ids.map((id) => attemptDelivery(deps, id, deliverer)));
    const states = async () => Promise.all(ids.map(async (id) => (await deliveryOf(id))?.state));
    await expect.poll(states).toEqual(["sending", ...Array<string>(4).fill("succeeded")]);
    releaseBatch();
    await all;
    expect(await states()).toEqual(Array<string>(5).fill("succeeded"));
  });

  it("records each result where one receiver fails", async () => {
    vi.spyOn(globalThis, "fetch").mockImplementation((url) =>
      Promise.resolve(new Request(url).url === URLS[1] ? new Response("no", { status: 500 }) : new Response("taken")),
    );
    const ids = await payments(5);
    await consume(ids);
    const found = await Promise.all(ids.map(async (id) => (await deliveryOf(id))?.state));
    expect(found).toEqual(["succeeded", "pending", "succeeded", "succeeded", "succeeded"]);
    expect(await attemptsOf(ids[1] ?? "")).toMatchObject([{ status: 500, error_class: "status" }]);
  });
});

it("a batch of which most is answered acknowledges the rest once, and leaves it to the background", async () => {
  virtualTime();
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
    const { url: address } = new Request(url);
    if (address === URLS[0]) await held;
    return new Response("", { status: address === URLS[1] ? 500 : 200 });
  });
  const ids = await payments(5);
  const goingOn: Promise<void>[] = [];
  const ended = ids.map((id) => ({ body: { databaseName: CELL, id }, ack: vi.fn(), retry: vi.fn() }));
  const began = Date.now();
  await processBatch(cellDeps(), { queue: "deliveries", messages: ended } as unknown as MessageBatch, (work) => void goingOn.push(work));
  expect(Date.now() - began).toBeLessThan(500);
  expect(ended.map(({ ack, retry }) => [ack.mock.calls.length, retry.mock.calls.length])).toEqual(ids.map(() => [1, 0]));
  expect(goingOn).toHaveLength(1);
  answer();
  await Promise.all(goingOn);
  const found = await Promise.all(ids.map(async (id) => (await deliveryOf(id))?.state));
  expect(found).toEqual(["succeeded", "pending", "succeeded", "succeeded", "succeeded"]);
  realTime();
});

describe("a receiver that takes long", () => {
  const HALF_A_SECOND = 500;
  const hanging = new Set<string>();
  const goingOn: Promise<void>[] = [];
  const own = cellDeps();
  afterEach(realTime);

  /** How long a batch waited for its receivers, in milliseconds. */
  async function batchOf(...partnerIds: readonly string[]): Promise<number> {
    const ids = await payments(partnerIds.length, partnerIds);
    const began = Date.now();
    const messages = ids.map((id) => ({
      body: { databaseName: CELL, id },
      ack: () => undefined,
      retry: () => expect.fail("it came again"),
    }));
    await processBatch(own, { queue: "deliveries", messages } as unknown as MessageBatch, (work) => void goingOn.push(work));
    return Date.now() - began;
  }

  it("keeps its own batch waiting, and for a minute no other one, unless it answers in time", async () => {
    const jump = virtualTime();
    const { promise: held, resolve: releaseBatch } = Promise.withResolvers<void>();
    vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
      if (hanging.has(new Request(url).url)) await held;
      return new Response("taken");
    });
    const [slow = "", quick = ""] = partners;
    hanging.add(URLS[0] ?? "");
    expect(await batchOf(slow, quick)).toBeGreaterThanOrEqual(HALF_A_SECOND);
    expect(await batchOf(slow, quick)).toBeLessThan(HALF_A_SECOND / 2);
    expect(goingOn).toHaveLength(2);
    // By then, the second was slow as well.
    await new Promise<void>((passed) => setTimeout(passed, HALF_A_SECOND));
    jump(MINUTE);
    expect(await batchOf(slow)).toBeGreaterThanOrEqual(HALF_A_SECOND);

    hanging.clear();
    expect(await batchOf(slow)).toBeLessThan(HALF_A_SECOND / 2);
    expect(goingOn).toHaveLength(4);
    await goingOn[3];
    hanging.add(URLS[0] ?? "");
    expect(await batchOf(slow)).toBeGreaterThanOrEqual(HALF_A_SECOND);

    releaseBatch();
    await Promise.all(goingOn);
    expect(await env.CELL_1.prepare("SELECT count(*) AS count FROM events WHERE state = 'sending'").first("count")).toBe(0);
  });
});

it("an endpoint whose last answer of a batch was a failure is failing", async () => {
  const [partner = ""] = partners;
  const ids = await payments(5, [partner]);
  let answered = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(() => {
    answered += 1;
    return Promise.resolve(answered < 5 ? new Response("taken") : new Response("no", { status: 500 }));
  });
  await consume(ids);
  const states = await Promise.all(ids.map(async (id) => (await deliveryOf(id))?.state));
  expect(states.filter((state) => state === "succeeded")).toHaveLength(4);
  const endpointId = String((await deliveryOf(ids[0] ?? ""))?.endpoint_id);
  expect(await endpointOf(endpointId)).toMatchObject({ failures: 1, failing_since: expect.any(Number) as number });
});

describe("claims at once", () => {
  it("give the slots of an endpoint to those that are due longest", async () => {
    const [partner = ""] = partners;
    const ids = await payments(12, [partner]);
    for (const [index, id] of ids.entries())
      await env.CELL_1.prepare("UPDATE events SET next_attempt_at = ? WHERE id = ?")
        .bind(Date.now() - index * 1_000, id)
        .run();
    const kinds = (await claimDeliveries(deps.db, ids, Date.now())).map(({ kind }) => kind);
    expect(kinds).toEqual([...Array<string>(2).fill("waits"), ...Array<string>(10).fill("claimed")]);
  });

  it("are of their own deliveries: each has its partner, its address and its secret", async () => {
    const ids = await payments(5);
    const claims = await claimAll(ids);
    expect(claims.map(({ eventId, partnerId, url }) => [eventId, partnerId, url])).toEqual(
      ids.map((id, index) => [id, partners[index], URLS[index]]),
    );
    expect(new Set(claims.flatMap(({ encryptedSecrets }) => encryptedSecrets)).size).toBe(5);
  });
});

describe("successes recorded at once", () => {
  it("share what waits: each goes on with one delivery of its endpoint, and nobody with another's", async () => {
    const [one = "", two = ""] = partners;
    const [first = "", second = "", third = ""] = await payments(3, [one, one, two]);
    const claims = await claimAll([first, second, third]);
    const waiting = [
      await recordPayment({ partnerId: one }),
      await recordPayment({ partnerId: one }),
      await recordPayment({ partnerId: one }),
    ];
    for (const [index, id] of waiting.entries()) await wait(id, Date.now() - 10_000 + index);
    const next = await recordSuccesses(
      deps.db,
      claims.map((claimed) => ({ claimed, result: delivered(claimed) })),
    );
    expect(next).toEqual([[waiting[0]], [waiting[1]], []]);
    expect(await deliveryOf(waiting[2] ?? "")).toMatchObject({ waiting: 1 });
  });

  it("leave a delivery alone that another consumer is sending now", async () => {
    const ids = await payments(2);
    const [one, two] = await claimAll(ids);
    if (one === undefined || two === undefined) return expect.fail("both are claimed");
    await env.CELL_1.prepare("UPDATE events SET claimed_at = claimed_at + 1 WHERE id = ?").bind(one.eventId).run();
    await recordSuccesses(deps.db, [
      { claimed: one, result: delivered(one) },
      { claimed: two, result: delivered(two) },
    ]);
    expect(await deliveryOf(one.eventId)).toMatchObject({ state: "sending", claimed_at: one.claimedAt + 1 });
    expect(await deliveryOf(two.eventId)).toMatchObject({ state: "succeeded" });
  });

  it("make an endpoint healthy by its own success, and only if it is the same as when that began", async () => {
    const ids = await payments(3);
    const claims = await claimAll(ids);
    const failing = "UPDATE endpoints SET failing_since = 1, failures = 3, cooldown_until = ?";
    await env.CELL_1.prepare(failing)
      .bind(Date.now() + 60_000)
      .run();
    await env.CELL_1.prepare("UPDATE endpoints SET revision = revision + 1 WHERE id = ?")
      .bind(claims[1]?.endpointId ?? "")
      .run();
    await recordSuccesses(
      deps.db,
      claims.slice(0, 2).map((claimed) => ({ claimed, result: delivered(claimed) })),
    );
    const health = await Promise.all(claims.map(async ({ endpointId }) => (await endpointOf(endpointId))?.failures));
    expect(health).toEqual([0, 3, 3]);
  });

  it("do not make an endpoint healthy that began to fail after they had ended", async () => {
    const claims = await claimAll(await payments(2));
    const [after, before] = claims.map(({ claimedAt }) => claimedAt + 6);
    for (const [index, since] of [after, (before ?? 0) - 1].entries())
      await env.CELL_1.prepare("UPDATE endpoints SET failing_since = ?, failures = 1 WHERE id = ?")
        .bind(since, claims[index]?.endpointId ?? "")
        .run();
    await recordSuccesses(
      deps.db,
      claims.map((claimed) => ({ claimed, result: delivered(claimed) })),
    );
    const health = await Promise.all(claims.map(async ({ endpointId }) => (await endpointOf(endpointId))?.failing_since));
    expect(health).toEqual([after, null]);
  });
});
