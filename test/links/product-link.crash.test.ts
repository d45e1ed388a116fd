import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idempotencyRecords, paymentLinks } from "../../src/db/schema/index.ts";
import { callV1, LINK, link, send } from "../support/api.ts";
import { crashAt, effectsOf, failD1At } from "../support/crash.ts";
import { inject, LASTING, PASSING } from "../support/faults.ts";
import { realTime } from "../support/later.ts";
import { type Effect, resetEffects } from "../support/observe.ts";
import { someOf } from "../support/scale.ts";
import { control, objects, processorCalls } from "../support/stack.ts";
import { deleteRows, rowOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

beforeEach(async () => {
  await control("/reset", {});
  await deleteRows(idempotencyRecords);
});
afterEach(() => {
  resetEffects();
  realTime();
});

/** What the object does for a new link, in order: the places at which it can be cut off. */
const STEPS: readonly (readonly [Effect, string])[] = [
  ["d1", "opening the record"],
  ["processor", "making the link"],
  ["d1", "storing the link"],
  ["processor", "asking for its line"],
  ["d1", "storing the result with the short link"],
  ["kv.put", "publishing the short link"],
];

/** One of everything, wherever one looks: at the processor, in the catalogue of links, and in the answers. */
async function expectOneOfEverything(answer: Record<string, unknown>): Promise<void> {
  expect(await objects("payment_links")).toMatchObject([{ id: answer.processor_payment_link_id }]);
  expect(await objects("prices")).toMatchObject([{ id: answer.processor_price_id }]);
  const row = await rowOf(paymentLinks, { id: String(answer.processor_payment_link_id) });
  expect(row).toMatchObject({ slug: answer.short_url_id });
  expect(JSON.parse(row?.items)).toMatchObject([[expect.any(String), answer.processor_price_id, expect.any(Number), 1, "acmeTestUsd1"]]);
  expect((await send(`/${String(answer.short_url_id)}`)).status).toBe(302);
}

it("has these steps and no other", async () => {
  expect(await effectsOf(() => callV1(LINK, link()))).toEqual(STEPS.map(([effect]) => effect));
});

// interface F.5, L.4
describe.each(["before", "after"] as const)("the object is aborted %s", (moment) => {
  it.each(someOf(STEPS.map(([effect, what], step) => [what, effect, step] as const)))(
    "%s: one of everything",
    async (_what, effect, step) => {
      const body = link();
      const injected = crashAt(step, moment);
      const first = await callV1(LINK, body);
      expect([injected.crashed(), injected.reached.at(-1)]).toEqual([true, effect]);
      resetEffects();

      // The caller notices nothing: the Worker asks a new object, which goes on where the old one was cut off.
      expect(first.body).toMatchObject({ success: true, is_replay: false, retry_count: 0 });
      expect((await callV1(LINK, body)).body).toEqual({ ...first.body, is_replay: true });
      await expectOneOfEverything(first.body);
    },
  );

  it.each(someOf(STEPS.slice(0, -1).map(([, what], step) => [what, step] as const)))(
    "%s, and once more when it resumes: the next request finishes it",
    async (_what, step) => {
      const body = link();
      crashAt(step, moment, 2);
      const first = await callV1(LINK, body);
      resetEffects();
      if (first.body.success !== true) expect(first.body).toMatchObject({ error_code: "internal_error" });
      const second = await callV1(LINK, body);
      expect(second.body).toMatchObject({ success: true, retry_count: 0 });
      await expectOneOfEverything(second.body);
    },
  );
});

describe.each(["refused", "answer lost"] as const)("a round trip to D1 fails, %s", (how) => {
  const ROUND_TRIPS = STEPS.filter(([effect]) => effect === "d1").map(([, what], step) => [what, step] as const);

  it.each(someOf(ROUND_TRIPS))("%s: made good by this request or the next, at once and once", async (_what, step) => {
    const body = link();
    const injected = failD1At(step, how);
    virtualTime();
    const startedAt = Date.now();
    const first = await callV1(LINK, body);
    expect(injected.failed()).toBe(true);
    resetEffects();
    if (first.body.success !== true) expect(first.body).toMatchObject({ error_code: "internal_error" });
    const second = await callV1(LINK, body);
    expect(second.body).toMatchObject({ success: true, retry_count: first.body.success === true || step === 0 ? 0 : 1 });
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    await expectOneOfEverything(second.body);
  });
});

const CALLS = ["payment_links.create", "payment_links.line_items"] as const;

describe.each(CALLS)("%s", (call) => {
  // interface E.9
  it.each(someOf(PASSING))("$what: recovered within the request, and no failed attempt", async (fault) => {
    virtualTime();
    await inject(call, fault);
    const body = link();
    const made = await callV1(LINK, body);
    expect(made.body).toMatchObject({ success: true, is_replay: false, retry_count: 0 });
    expect((await callV1(LINK, body)).body).toEqual({ ...made.body, is_replay: true });
    await expectOneOfEverything(made.body);
  });

  it.each(someOf(LASTING))("$what: stripe_error, counted, and the next request makes it once", async (fault) => {
    virtualTime();
    await inject(call, fault);
    const body = link();
    expect((await callV1(LINK, body)).body).toMatchObject({ success: false, error_code: "stripe_error" });
    await control("/faults", undefined, "DELETE");
    const made = await callV1(LINK, body);
    expect(made.body).toMatchObject({ success: true, is_replay: false, retry_count: 1 });
    expect((await callV1(LINK, body)).body).toEqual({ ...made.body, is_replay: true });
    await expectOneOfEverything(made.body);
  });
});

it.each(["http_400", "refuse_method"])(
  "uses the link of a request whose answer was lost, though the next is answered by %s",
  async (kind) => {
    virtualTime();
    await inject(CALLS[0], { what: "", kind: "reset_after", times: 1, more: {} });
    await inject(CALLS[0], { what: "", kind, times: 1, more: kind === "refuse_method" ? { method: "card" } : {} });
    const made = await callV1(LINK, link());
    expect(made.body).toMatchObject({ success: true });
    await expectOneOfEverything(made.body);
  },
);

// interface G.9
it("tries a 500 as long as the time allows, under one key", async () => {
  virtualTime();
  await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind: "http_500" });
  await callV1(LINK, link());
  const tries = (await processorCalls()).filter(({ method }) => method === "POST");
  expect(tries.length).toBeGreaterThan(8);
  expect(tries.length).toBeLessThan(13);
  expect(new Set(tries.map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
});
