import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idempotencyRecords } from "../../src/db/schema/index.ts";
import { KeyRunner } from "../../src/idempotency/runner.ts";
import { eraseTypes } from "../../src/idempotency/workflow.ts";
import { promotionCodeWorkflow } from "../../src/promotions/create-promotion-code.ts";
import { CODE, callV1, promotion } from "../support/api.ts";
import { CELL, cellDeps } from "../support/cells.ts";
import { crashAt, cutOffAround, effectsOf, failD1At } from "../support/crash.ts";
import { cron } from "../support/cron.ts";
import { inject, keepFailures, LASTING, PASSING } from "../support/faults.ts";
import { DAY, HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { failKey } from "../support/objects.ts";
import { aroundEffects, countEffects, crash, type Effect, resetEffects } from "../support/observe.ts";
import { someOf } from "../support/scale.ts";
import { control, objects, world } from "../support/stack.ts";
import { countOf, deleteRows, rowOf } from "../support/tables.ts";
import { until } from "../support/until.ts";
import { takesOneMillisecond, virtualTime } from "../support/virtual-time.ts";

beforeEach(async () => {
  await control("/reset", {});
  await deleteRows(idempotencyRecords);
});
afterEach(() => {
  resetEffects();
  realTime();
});

/** What the object does for a new code, in order: the places at which it can be cut off. */
const STEPS: readonly (readonly [Effect, string])[] = [
  ["d1", "opening the record"],
  ["processor", "making the coupon"],
  ["d1", "storing the coupon"],
  ["processor", "making the code"],
  ["d1", "storing the result"],
];

/** What it does for a code whose text is taken. */
const STEPS_REFUSED: readonly (readonly [Effect, string])[] = [
  ...STEPS.slice(0, 4),
  ["processor", "looking whether the taken one is ours"],
  ["d1", "noting the refusal"],
  ["processor", "taking the coupon away"],
  ["d1", "storing the failure"],
];

const held = async () => [(await objects("coupons")).length, (await objects("promotion_codes")).length];

async function expectOneOfEverything(answer: Record<string, unknown>): Promise<void> {
  expect(await objects("coupons")).toMatchObject([{ id: answer.stripe_coupon_id }]);
  expect(await objects("promotion_codes")).toMatchObject([
    { id: answer.stripe_promotion_code_id, promotion: { coupon: answer.stripe_coupon_id } },
  ]);
  const rows = await env.CELL_1.prepare("SELECT id, coupon_id FROM promotion_codes WHERE code = ?").bind(answer.code).all();
  expect(rows.results).toEqual([{ id: answer.stripe_promotion_code_id, coupon_id: answer.stripe_coupon_id }]);
}

/** A request for a code whose text another one has. */
async function takenText() {
  await callV1(CODE, promotion({ code: "TAKEN" }));
  return promotion({ code: "taken" });
}

it("has these steps and no other", async () => {
  expect(await effectsOf(() => callV1(CODE, promotion()))).toEqual(STEPS.map(([effect]) => effect));
  const taken = await takenText();
  expect(await effectsOf(() => callV1(CODE, taken))).toEqual(STEPS_REFUSED.map(([effect]) => effect));
});

// interface F.5
describe.each(["before", "after"] as const)("the object is aborted %s", (moment) => {
  it.each(someOf(STEPS.map(([effect, what], step) => [what, effect, step] as const)))(
    "%s: one of everything",
    async (_what, effect, step) => {
      const body = promotion();
      const injected = crashAt(step, moment);
      const first = await callV1(CODE, body);
      expect([injected.crashed(), injected.reached.at(-1)]).toEqual([true, effect]);
      resetEffects();
      expect(first.body).toMatchObject({ success: true, is_replay: false });
      expect((await callV1(CODE, body)).body).toEqual({ ...first.body, is_replay: true });
      await expectOneOfEverything(first.body);
    },
  );

  it.each(someOf(STEPS.map(([, what], step) => [what, step] as const)))("%s, and once more when it resumes", async (_what, step) => {
    const body = promotion();
    crashAt(step, moment, 2);
    const first = await callV1(CODE, body);
    resetEffects();
    if (first.body.success !== true) expect(first.body).toMatchObject({ error_code: "internal_error" });
    const second = await callV1(CODE, body);
    expect(second.body).toMatchObject({ success: true });
    await expectOneOfEverything(second.body);
  });

  it.each(someOf(STEPS_REFUSED.map(([effect, what], step) => [what, effect, step] as const)))(
    "%s, of a text that is taken: the answer is the same and nothing is left behind",
    async (_what, effect, step) => {
      const body = await takenText();
      const injected = crashAt(step, moment);
      const first = await callV1(CODE, body);
      expect([injected.crashed(), injected.reached.at(-1)]).toEqual([true, effect]);
      resetEffects();
      expect(first.body).toMatchObject({ success: false, error_code: "code_already_exists" });
      expect((await callV1(CODE, body)).body).toEqual(first.body);
      expect(await held()).toEqual([1, 1]);
    },
  );
});

describe.each(["refused", "answer lost"] as const)("a round trip to D1 fails, %s", (how) => {
  const roundTrips = (steps: typeof STEPS) =>
    someOf(steps.filter(([effect]) => effect === "d1").map(([, what], step) => [what, step] as const));

  it.each(roundTrips(STEPS))("%s: made good by this request or the next, once", async (_what, step) => {
    const body = promotion();
    const injected = failD1At(step, how);
    await callV1(CODE, body);
    expect(injected.failed()).toBe(true);
    resetEffects();
    const second = await callV1(CODE, body);
    expect(second.body).toMatchObject({ success: true });
    await expectOneOfEverything(second.body);
  });

  it.each(roundTrips(STEPS_REFUSED))("%s, of a text that is taken: said by the next request, and nothing stays", async (_what, step) => {
    const body = await takenText();
    const injected = failD1At(step, how);
    await callV1(CODE, body);
    expect(injected.failed()).toBe(true);
    resetEffects();
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "code_already_exists" });
    pass(25 * HOUR);
    await cron.sweep("compensations");
    expect(await held()).toEqual([1, 1]);
  });
});

describe.each(["coupons.create", "promotion_codes.create"])("%s", (call) => {
  // interface E.9, 2.8
  it.each(someOf(PASSING))("$what: recovered within the request, and counted", async (fault) => {
    virtualTime();
    await inject(call, fault);
    const body = promotion();
    const made = await callV1(CODE, body);
    expect(made.body).toMatchObject({ success: true, is_replay: false, is_retry: true });
    // A slow answer can make the next try meet the first, which counts as a further one.
    expect(made.body.retry_count).toBeGreaterThanOrEqual(fault.times);
    if (fault.kind !== "timeout") expect(made.body.retry_count).toBe(fault.times);
    expect((await callV1(CODE, body)).body).toEqual({ ...made.body, is_replay: true });
    await expectOneOfEverything(made.body);
  });

  it.each(someOf(LASTING))("$what: stripe_error, and the next request makes it once", async (fault) => {
    virtualTime();
    await inject(call, fault);
    const body = promotion();
    expect((await callV1(CODE, body)).body).toMatchObject({ success: false, error_code: "stripe_error" });
    if (fault.kind === "http_400") expect(await held()).toEqual([0, 0]);
    await control("/faults", undefined, "DELETE");
    const made = await callV1(CODE, body);
    expect(made.body).toMatchObject({ success: true, is_replay: false });
    // Retries of the request that succeeded alone. One that comes while the first is still being answered has its own.
    if (fault.kind !== "timeout") expect(made.body).toMatchObject({ is_retry: false, retry_count: 0 });
    expect((await callV1(CODE, body)).body).toEqual({ ...made.body, is_replay: true });
    await expectOneOfEverything(made.body);
  });

  it("keeps a 500 under our key: it is got round", async () => {
    await control("/faults", { target: "processor", call, times: 1, kind: "http_500", stored: true });
    const made = await callV1(CODE, promotion());
    expect(made.body).toMatchObject({ success: true });
    await expectOneOfEverything(made.body);
  });

  it("keeps a 500 under our key, and has made it all the same: it is found and taken", async () => {
    keepFailures(1, call === "coupons.create" ? "/v1/coupons" : "/v1/promotion_codes");
    const made = await callV1(CODE, promotion());
    resetEffects();
    expect(made.body).toMatchObject({ success: true });
    await expectOneOfEverything(made.body);
  });
});

describe.each(["coupons.create", "promotion_codes.create"])("%s has an effect, loses its answer, and is then refused", (call) => {
  const refuse = () => inject(call, { what: "", kind: "http_400", times: 1, more: {} });

  it("within one request: what was made is found and used", async () => {
    virtualTime();
    await inject(call, { what: "", kind: "reset_after", times: 1, more: {} });
    await refuse();
    const made = await callV1(CODE, promotion());
    expect(made.body).toMatchObject({ success: true });
    await expectOneOfEverything(made.body);
  });

  it("by the next request: what was made is found and used", async () => {
    virtualTime();
    await inject(call, { what: "", kind: "reset_after", times: 99, more: {} });
    const body = promotion();
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "stripe_error" });
    await control("/faults", undefined, "DELETE");
    await refuse();
    const made = await callV1(CODE, body);
    expect(made.body).toMatchObject({ success: true });
    await expectOneOfEverything(made.body);
  });
});

it("takes back what a call with an abandoned key makes late, though the next call is refused", async () => {
  const jump = virtualTime();
  await inject("coupons.create", { what: "", kind: "http_500", times: 1, more: { stored: true } });
  await inject("coupons.create", { what: "", kind: "http_400", times: 2, more: {} });
  const body = promotion();
  expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "stripe_error" });
  expect(await rowOf(idempotencyRecords, {}, ["resumable"])).toMatchObject({ resumable: 1 });
  jump(25 * HOUR);
  await cron.sweep("compensations");
  expect(await rowOf(idempotencyRecords, {}, ["resumable"])).toMatchObject({ resumable: 0 });
});

describe("a coupon that cannot be taken away at once", () => {
  it.each(["http_500", "reset", "http_429"])("because of %s: the answer is given, and the cron takes it away", async (kind) => {
    virtualTime();
    const body = await takenText();
    await control("/faults", { target: "processor", call: "coupons.delete", times: 99, kind });
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "code_already_exists" });
    expect(await held()).toEqual([2, 1]);
    await control("/faults", undefined, "DELETE");
    realTime();
    pass(5 * MINUTE);
    await cron.sweep("compensations");
    expect(await held()).toEqual([1, 1]);
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "code_already_exists" });
    expect(await held()).toEqual([1, 1]);
  });

  it("because it is gone already is no failure", async () => {
    const body = await takenText();
    await control("/faults", { target: "processor", call: "coupons.delete", times: 1, kind: "reset_after" });
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "code_already_exists" });
    expect(await held()).toEqual([1, 1]);
  });
});

describe("what is left of an attempt that nobody goes on from", () => {
  const failing = async (kind: string, attempts: number) => {
    const jump = virtualTime();
    await control("/faults", { target: "processor", call: "promotion_codes.create", times: 999, kind });
    const body = promotion();
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "stripe_error" });
    }
    await control("/faults", undefined, "DELETE");
    return { jump, body };
  };
  const activeCodes = async () => (await objects("promotion_codes")).filter(({ active }) => active === true);

  it.each([
    ["http_500", [1, 0]],
    ["reset_after", [1, 1]],
  ] as const)("is taken back after the last attempt, where it failed by %s", async (kind, before) => {
    const { jump, body } = await failing(kind, 6);
    expect(await held()).toEqual(before);
    jump(5 * MINUTE);
    await cron.sweep("compensations");
    expect(await objects("coupons")).toEqual([]);
    expect(await activeCodes()).toEqual([]);
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "stripe_error" });
    expect((await callV1(CODE, { ...body, idempotency_key: crypto.randomUUID() })).body).toMatchObject({ success: true });
  });

  it.each(["http_500", "reset_after"])("is taken back a day after %s, unless the request is repeated before", async (kind) => {
    const { jump, body } = await failing(kind, 1);
    jump(23 * HOUR);
    await cron.sweep("compensations");
    expect((await objects("coupons")).length).toBe(1);
    jump(2 * HOUR);
    await cron.sweep("compensations");
    expect(await objects("coupons")).toEqual([]);
    expect(await activeCodes()).toEqual([]);
    expect((await callV1(CODE, body)).body).toMatchObject({ success: true, is_replay: false });
    expect((await objects("coupons")).length).toBe(1);
    expect((await activeCodes()).length).toBe(1);
  });

  it.each(["http_500", "reset_after"])("is gone on from by a repeat, more than 23 hours after %s", async (kind) => {
    const { jump, body } = await failing(kind, 1);
    jump(DAY);
    const made = await callV1(CODE, body);
    expect(made.body).toMatchObject({ success: true, is_replay: false });
    await expectOneOfEverything(made.body);
    jump(2 * DAY);
    await cron.sweep("compensations");
    await expectOneOfEverything(made.body);
  });

  it.each(["before", "after"] as const)("is taken back by the next cron where the object is aborted %s any step of it", async (moment) => {
    const steps = await effectsOf(async () => {
      const { jump } = await failing("reset_after", 6);
      jump(5 * MINUTE);
      await cron.sweep("compensations");
    });
    // Reading the record, claiming it, looking for the code, ending it, taking the coupon away, storing that it is done.
    expect(steps.slice(-6)).toEqual(["d1", "d1", "processor", "processor", "processor", "d1"]);
    resetEffects();
    realTime();
    for (const step of someOf([0, 1, 2, 3, 4, 5])) {
      await control("/reset", {});
      await deleteRows(idempotencyRecords);
      const { jump } = await failing("reset_after", 6);
      jump(5 * MINUTE);
      const injected = crashAt(step, moment);
      await cron.sweep("compensations");
      expect(injected.crashed()).toBe(true);
      resetEffects();
      jump(2 * HOUR);
      await cron.sweep("compensations");
      expect(await objects("coupons")).toEqual([]);
      expect(await activeCodes()).toEqual([]);
      realTime();
    }
  });

  it("is left to another instance of the object that begins anew meanwhile: what that makes stays", async () => {
    const { jump, body } = await failing("http_500", 1);
    jump(25 * HOUR);
    const row = await rowOf(idempotencyRecords, {}, ["id", "key", "fingerprint", "plan"]);
    let other: Promise<unknown> | undefined;
    aroundEffects(async (effect, perform) => {
      if (effect !== "processor" || other !== undefined) return perform();
      const { id: recordId = "", key = "", fingerprint = "", plan = "" } = row ?? {};
      const request = {
        recordId,
        key,
        fingerprints: [fingerprint] as [string],
        start: { plan },
        cell: CELL,
        partnerId: "acme",
        operation: CODE,
        requestId: "other",
        holder: "holder of key_1",
        manual: false,
      };
      other = new KeyRunner(cellDeps()).handle(eraseTypes(promotionCodeWorkflow), request);
      expect(await other).toMatchObject({ ok: true, replayed: false });
      return perform();
    });
    await cron.sweep("compensations");
    expect(other).toBeDefined();
    resetEffects();
    const replayed = await callV1(CODE, body);
    expect(replayed.body).toMatchObject({ success: true, is_replay: true });
    await expectOneOfEverything(replayed.body);
    expect(await activeCodes()).toHaveLength(1);
  });

  it("is taken back once for all who ask meanwhile, within the time of one request", async () => {
    const jump = virtualTime();
    const body = await takenText();
    await control("/faults", { target: "processor", call: "coupons.delete", times: 999, kind: "http_500" });
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "code_already_exists" });
    jump(MINUTE);
    const before = world.state.requests.filter(({ method }) => method === "DELETE").length;
    // However slow the machine is: all of them have come before the first attempt at it is over.
    let asked = 0;
    aroundEffects(async (effect, perform) => {
      if (effect === "object") asked += 1;
      if (effect === "processor") await takesOneMillisecond(() => until(() => expect(asked).toBe(10)));
      return perform();
    });
    const answers = await Promise.all(Array.from({ length: 10 }, () => callV1(CODE, body)));
    for (const answer of answers) expect(answer.body).toMatchObject({ error_code: "code_already_exists" });
    expect(world.state.requests.filter(({ method }) => method === "DELETE").length - before).toBeLessThanOrEqual(12);
  });

  it("is found by a later look, where the processor's list lags behind what it made", async () => {
    let [first, stale] = [true, true];
    aroundEffects(async (effect, perform) => {
      const answer = await perform();
      const request = world.state.requests.at(-1);
      if (effect !== "processor" || request?.path !== "/v1/promotion_codes") return answer;
      if (request.method === "GET" && stale) {
        stale = false;
        return Response.json({ object: "list", data: [], has_more: false });
      }
      if (request.method !== "POST" || !first) return answer;
      first = false;
      await failKey(request.idempotency_key);
      return Response.json({ error: { type: "api_error", message: "failed" } }, { status: 500 });
    });
    const made = await callV1(CODE, promotion());
    resetEffects();
    expect(made.body).toMatchObject({ success: true });
    await expectOneOfEverything(made.body);
  });

  it("is tried again later where the processor is still out of order", async () => {
    const { jump } = await failing("http_500", 6);
    await control("/faults", { target: "processor", call: "coupons.delete", times: 99, kind: "http_500" });
    jump(5 * MINUTE);
    await cron.sweep("compensations");
    expect((await objects("coupons")).length).toBe(1);
    await control("/faults", undefined, "DELETE");
    jump(2 * HOUR);
    await cron.sweep("compensations");
    expect(await objects("coupons")).toEqual([]);
  });
});

describe("a coupon that will not go", () => {
  it("does not keep failures from being counted, and the text can be had once it is free", async () => {
    virtualTime();
    const body = await takenText();
    await control("/faults", { target: "processor", call: "coupons.delete", times: 999, kind: "http_500" });
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "code_already_exists" });
    const row = await env.CELL_1.prepare("SELECT state, failures FROM idempotency_records WHERE state <> 'completed'").first();
    expect(row).toEqual({ state: "failed", failures: 1 });
    await control("/faults", undefined, "DELETE");
    for (const code of Object.values(world.state.objects)) if (code.object === "promotion_code") code.active = false;
    const made = await callV1(CODE, body);
    expect(made.body).toMatchObject({ success: true, is_replay: false });
    expect(await held()).toEqual([2, 2]);
  });
});

describe("a repeat when the end of the code is near, or past", () => {
  it("is replayed as any other", async () => {
    const body = promotion({ expires_at: new Date(Date.now() + 90_000).toISOString() });
    const first = await callV1(CODE, body);
    pass(MINUTE);
    expect((await callV1(CODE, body)).body).toEqual({ ...first.body, is_replay: true });
    pass(HOUR);
    expect((await callV1(CODE, body)).body).toEqual({ ...first.body, is_replay: true });
    const { result, counts } = await countEffects(() => callV1(CODE, body));
    expect(result.body).toMatchObject({ is_replay: true });
    expect(counts).toMatchObject({ d1: 1, processor: 0 });
    const before = await countOf(idempotencyRecords);
    expect((await callV1(CODE, { ...body, idempotency_key: "fresh" })).body).toMatchObject({ error_code: "invalid_input" });
    expect(await countOf(idempotencyRecords)).toEqual(before);
  });

  it("begins nothing, and stays as it is, once the result is too old to be replayed", async () => {
    const body = promotion({ expires_at: new Date(Date.now() + 90_000).toISOString() });
    await callV1(CODE, body);
    pass(25 * HOUR);
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "invalid_input" });
    expect(await held()).toEqual([1, 1]);
    expect(await rowOf(idempotencyRecords, {}, ["state", "failures"])).toEqual({ state: "completed", failures: 0 });
  });

  it("is finished where it was cut off", async () => {
    const body = promotion({ expires_at: new Date(Date.now() + 90_000).toISOString() });
    cutOffAround("processor", "after");
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "internal_error" });
    resetEffects();
    pass(MINUTE);
    expect((await callV1(CODE, body)).body).toMatchObject({ success: true });
  });
});

// interface F.4
it("does not take for its own the code of a request that was completed a day ago", async () => {
  const body = promotion();
  await callV1(CODE, body);
  pass(DAY + MINUTE);
  expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "code_already_exists" });
  expect(await held()).toEqual([1, 1]);
});

// interface E.3
it("survives an object that dies again and again between the refusal and the coupon's end", async () => {
  const body = await takenText();
  let deletions = 0;
  aroundEffects(async (effect, perform) => {
    const answer = await perform();
    if (effect === "processor" && world.state.requests.at(-1)?.method === "DELETE" && deletions < 2) {
      deletions += 1;
      return crash();
    }
    return answer;
  });
  expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "internal_error" });
  resetEffects();
  expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "code_already_exists" });
  expect(await held()).toEqual([1, 1]);
});
