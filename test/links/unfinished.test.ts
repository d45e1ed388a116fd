import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addObject } from "../../sandbox/world.ts";
import { endpoints, idempotencyRecords } from "../../src/db/schema/index.ts";
import { CART, call, cart, REGISTER } from "../support/api.ts";
import { cutOffAround } from "../support/crash.ts";
import { cron } from "../support/cron.ts";
import { DAY, HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { aroundEffects, crash, objectAtWork, resetEffects } from "../support/observe.ts";
import { control, objects, processorCalls, world } from "../support/stack.ts";
import { countOf, deleteRows, fieldOf, rowOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

beforeEach(async () => {
  await control("/reset", {});
  await deleteRows(idempotencyRecords);
});
afterEach(() => {
  resetEffects();
  realTime();
});

const record = (token: string) => rowOf(idempotencyRecords, { key: `token:${token}` }, ["state", "attempt"]);

/** Leaves an operation unfinished: its object dies twice while the processor's answer is under way. */
async function cutOff(body: object): Promise<void> {
  cutOffAround("processor", "after");
  expect((await call(CART, body)).body).toMatchObject({ error_code: "INTERNAL_ERROR" });
  resetEffects();
}

describe("an operation whose caller never came back", () => {
  // interface T.6
  it("is finished by the cron, under its old upstream key", async () => {
    const body = cart();
    await cutOff(body);
    expect(await record(body.client_token)).toEqual({ state: "running", attempt: 1 });
    await cron();
    expect(await record(body.client_token)).toEqual({ state: "running", attempt: 1 });
    pass(3 * MINUTE);
    await cron();
    expect(await record(body.client_token)).toEqual({ state: "completed", attempt: 1 });
    expect(await objects("payment_links")).toHaveLength(1);
    expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: true });
  });

  it("is finished however late, by what it has made: the processor may have forgotten our keys by then", async () => {
    const body = cart();
    await cutOff(body);
    pass(100 * HOUR);
    await cron.sweep("unfinished_operations");
    const since = Date.now();
    expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: true });
    expect((await processorCalls(since)).filter(({ method }) => method === "POST")).toEqual([]);
    expect(await objects("payment_links")).toHaveLength(1);
  });

  it("is begun under new keys where nothing had been made", async () => {
    const body = cart();
    cutOffAround("processor", "before");
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTERNAL_ERROR" });
    resetEffects();
    pass(DAY);
    expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: false });
    expect(await record(body.client_token)).toEqual({ state: "completed", attempt: 2 });
    expect(await objects("payment_links")).toHaveLength(1);
  });

  it("is finished within six hours, also where the request was first made days ago", async () => {
    const { client_token: _, ...body } = cart({ success_url: "https://shop.example/days-ago" });
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.line_items", times: 99, kind: "http_500" });
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    await control("/faults", undefined, "DELETE");
    realTime();
    pass(4 * DAY);
    await cutOff(body);
    pass(5 * HOUR);
    await cron.sweep("unfinished_operations");
    expect(await countOf(idempotencyRecords, { state: "running" })).toBe(1);
    pass(2 * HOUR);
    await cron.sweep("unfinished_operations");
    expect(await countOf(idempotencyRecords, { state: "running" })).toBe(0);
    expect(await objects("payment_links")).toHaveLength(1);
  });

  it("is not made a second time where there are too many links to look through", async () => {
    const body = cart();
    await cutOff(body);
    for (let other = 0; other < 5000; other += 1) addObject(world, "plink", { object: "payment_link", livemode: false, metadata: {} });
    pass(DAY);
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    expect(await objects("payment_links")).toHaveLength(5001);
  });

  it("is made where all that the account has made since can be seen, however much it made before", async () => {
    const longAgo = { record_since: String(Date.now() - 5 * DAY) };
    for (let other = 0; other < 1500; other += 1) addObject(world, "plink", { object: "payment_link", livemode: false, metadata: longAgo });
    const body = cart();
    cutOffAround("processor", "before");
    await call(CART, body);
    resetEffects();
    pass(DAY);
    expect((await call(CART, body)).body).toMatchObject({ success: true });
    expect((await processorCalls()).filter(({ method, path }) => method === "GET" && path === "/v1/payment_links")).toHaveLength(1);
    expect(await objects("payment_links")).toHaveLength(1501);
  });

  it("is found among the links of all partners, a few hundred of them later", async () => {
    const body = cart();
    await cutOff(body);
    for (let other = 0; other < 350; other += 1) addObject(world, "plink", { object: "payment_link", livemode: false, metadata: {} });
    pass(DAY);
    expect((await call(CART, body)).body).toMatchObject({ success: true });
    expect(await objects("payment_links")).toHaveLength(351);
  });
});

it("is resumed as long as its key is known, to the minute", async () => {
  const body = cart();
  await cutOff(body);
  pass(23 * HOUR - MINUTE);
  expect((await call(CART, body)).body).toMatchObject({ success: true });
  expect(await objects("payment_links")).toHaveLength(1);
});

it("is not blocked for good where a method was refused before: the next attempt begins anew", async () => {
  const { client_token: _, ...body } = cart({ payment_method_types: ["brand_new", "card"], success_url: "https://shop.example/refused" });
  // All tries are lost; then a call is refused its method, and whatever follows is cut off.
  virtualTime();
  await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind: "reset" });
  expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
  await control("/faults", undefined, "DELETE");
  let calls = 0;
  aroundEffects(async (effect, perform) => {
    calls += effect === "processor" ? 1 : 0;
    if (effect === "processor" && calls >= 2) throw new TypeError("Network connection lost.");
    return perform();
  });
  expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
  resetEffects();
  realTime();
  pass(DAY);
  expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: false });
});

// interface E.7
it("does not finish a registration unasked: another URL may have been registered since", async () => {
  const [old_url, new_url] = ["https://shop.example/old", "https://shop.example/new"];
  let writes = 0;
  aroundEffects(async (effect, perform) => {
    if (effect !== "d1" || !objectAtWork()) return perform();
    writes += 1;
    return writes % 2 === 0 ? crash() : perform();
  });
  expect((await call(REGISTER, { live_url: old_url, client_token: "cut-off" })).body).toMatchObject({ error_code: "INTERNAL_ERROR" });
  resetEffects();
  await call(REGISTER, { live_url: new_url });
  pass(5 * MINUTE);
  await cron.sweep("unfinished_operations");
  expect(await fieldOf(endpoints, "url", { id: "ep_acme_live" })).toBe(new_url);
});

// interface T.6
it("goes the same way again after a refused method, and asks under no earlier key", async () => {
  await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "refuse_method", method: "klarna" });
  const body = cart({ payment_method_types: ["klarna", "card"] });
  let calls = 0;
  aroundEffects(async (effect, perform) => {
    calls += effect === "processor" ? 1 : 0;
    if (effect !== "processor" || calls !== 2) return perform();
    await perform();
    return crash();
  });
  const { body: made } = await call(CART, body);
  resetEffects();
  expect(made).toMatchObject({ success: true });
  const keysUsed = (await processorCalls()).filter(({ method }) => method === "POST").map(({ idempotency_key }) => idempotency_key);
  expect(keysUsed).toHaveLength(3);
  expect(keysUsed[1]).toBe(keysUsed[2]);
  expect(keysUsed[0]).not.toBe(keysUsed[1]);
  expect(await objects("payment_links")).toMatchObject([{ payment_method_types: ["card"] }]);
});
