import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CART, call, callV1, cart, keys, LINK, LIST, LIVE_LINKS, link, PAYMENT, send } from "../support/api.ts";
import { CELL, cellDeps } from "../support/cells.ts";
import { failD1At } from "../support/crash.ts";
import { loggedBy } from "../support/logged.ts";
import { aroundEffects, resetEffects } from "../support/observe.ts";
import { control } from "../support/stack.ts";

/** One id for each request: on the answer, in each log line that the request causes, and where support is to be asked. */

afterEach(resetEffects);

/** What is logged while `work` runs, line by line. */
async function linesOf(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  return (await loggedBy(work)).map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Lets every round trip to D1 fail from now on. */
const breakD1 = () =>
  aroundEffects((effect, perform) => (effect === "d1" ? Promise.reject(new Error("D1_ERROR: Network connection lost.")) : perform()));

// interface G.5
describe("a request that fails on our side", () => {
  it.each([
    ["an operation of the second generation", () => call(LIST, {}), /^INTERNAL_ERROR$/],
    ["the look-up of a payment", () => call(PAYMENT, { payment_intent_id: "pi_1" }), /^INTERNAL_ERROR$/],
    ["the list of live links", () => call(LIVE_LINKS, {}), /^INTERNAL_ERROR$/],
    ["a creation of the first", () => callV1(LINK, link()), /^internal_error$/],
    // interface E.2, E.6
  ])("tells the id: %s", async (_what, request, code) => {
    breakD1();
    let id = "";
    const lines = await linesOf(async () => {
      const { status, headers, body } = await request();
      id = headers.get("X-Request-Id") ?? "";
      expect([status, body.error_code]).toEqual([200, expect.stringMatching(code)]);
      expect(body.error_message).toContain(`Quote ${id} to support.`);
    });
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatchObject({ request: id });
  });

  it.each([
    ["/webhook/get-processor-objects", JSON.stringify({ api_key: keys.acme }), "application/json"],
    ["/webhook/cancel_subscription_at_period_end?subscription_id=sub_1", "cancel_at_period_end=true", "application/x-www-form-urlencoded"],
    // interface E.5
  ])("tells the id with a real status: %s", async (path, body, type) => {
    breakD1();
    const headers = { "Content-Type": type, "X-Partner-Api-Key": keys.acme };
    const answer = await send(path, { method: "POST", headers, body });
    expect(answer.status).toBe(500);
    expect(answer.body.error).toContain(`Quote ${answer.headers.get("X-Request-Id")} to support.`);
  });
});

it("what the key's object does for a request is logged under the request's id", async () => {
  await control("/faults", { target: "processor", call: "payment_links.create", times: 9, kind: "http_400" });
  let id: string | null = null;
  const lines = await linesOf(async () => {
    const { headers, body } = await call(CART, cart());
    expect(body.error_code).toBe("INTEGRATION_UPSTREAM_ERROR");
    id = headers.get("X-Request-Id");
  });
  await control("/faults", undefined, "DELETE");
  expect(lines.map(({ message }) => message)).toContain("operation failed");
  for (const line of lines) expect(line).toMatchObject({ request: id });
});

// interface E.7
it("a step of the object that fails on our side is logged under it too", async () => {
  const fault = failD1At(1, "refused");
  let id: string | null = null;
  const lines = await linesOf(async () => {
    const { headers, body } = await call(CART, cart());
    expect(body.error_code).toBe("INTERNAL_ERROR");
    id = headers.get("X-Request-Id");
  });
  expect(fault.failed()).toBe(true);
  expect(lines.filter(({ level }) => level === "error").length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatchObject({ request: id });
});

it("is ours, whatever a caller sends", async () => {
  const sent = "0d9c5b1e-6f2a-4f0e-9d33-7c1f4f6f2b10";
  const { headers } = await send("/health", { headers: { "X-Request-Id": sent } });
  expect(headers.get("X-Request-Id")).toMatch(/^[0-9a-f]{16}$/);
  expect(headers.get("X-Request-Id")).not.toBe(sent);
});

it("a wake-up call that cannot be sent is logged under it", async () => {
  const sendBatch = vi.spyOn(env.DELIVERIES, "sendBatch").mockRejectedValue(new Error("the queue is out of order"));
  let id: string | null = null;
  const lines = await linesOf(async () => {
    id = crypto.randomUUID();
    await cellDeps().forRequest(id, "192.0.2.1").inCell(CELL).deliveryQueue.send(["evt_1"]);
  });
  sendBatch.mockRestore();
  expect(lines).toEqual([expect.objectContaining({ message: "enqueue failed", request: id })]);
});

it("two requests have two ids", async () => {
  const ids = await Promise.all([call(LIST, {}), call(LIST, {})].map(async (answer) => (await answer).headers.get("X-Request-Id")));
  expect(new Set(ids).size).toBe(2);
});

it.each([
  ["GET", "/health", 200],
  ["GET", "/docs", 200],
  ["GET", "/docs/reference", 200],
  ["GET", "/docs/nonsense", 404],
  ["GET", "/openapi.json", 200],
  ["POST", "/openapi.json", 405],
  ["GET", "/01acmeLiveUsd1First", 302],
  ["GET", "/unknownSlug1", 404],
  ["GET", "/nowhere/at/all", 404],
  ["GET", "/mcp", 405],
  ["GET", "/ops/ledger", 401],
  ["POST", "/ingest/processor/live", 400],
  ["POST", "/ingest/bank", 400],
  ["POST", `/${LIST}`, 200],
  ["POST", "/webhook/get-processor-objects", 400],
] as const)("stands on every answer: %s %s", async (method, path, wanted) => {
  const { status, headers } = await send(path, { method });
  expect([status, headers.get("X-Request-Id")]).toEqual([wanted, expect.stringMatching(/^[0-9a-f]{16}$/)]);
});

it("stands in INTERNAL_ERROR's message also where a product's data is to blame", async () => {
  const { headers, body } = await call(CART, cart({ items: [{ stripe_product_id: "prod_acmeCorrupt", unit_amount: 1900, quantity: 1 }] }));
  expect(body).toMatchObject({
    error_code: "INTERNAL_ERROR",
    error_message: expect.stringContaining(headers.get("X-Request-Id") ?? "none"),
  });
});

it.each([
  ["settings", {}],
  ["cells without a gap", { ...env, CELL_1: undefined, CELL_2: env.SECOND_CELL }],
])("stands on the answer of a Worker that has no %s, and in its log", async (_what, bindings) => {
  const { default: worker } = await import("../../src/worker.ts");
  let answer = new Response();
  const lines = await linesOf(async () => {
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined } as unknown as ExecutionContext;
    answer = await worker.fetch(new Request("http://localhost:8787/health") as never, bindings as never, context);
  });
  expect([answer.status, lines]).toEqual([503, [expect.objectContaining({ request: answer.headers.get("X-Request-Id") })]]);
});
