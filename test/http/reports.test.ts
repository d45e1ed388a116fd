import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { buildDeps } from "../../src/build-deps.ts";
import { cellCodeOf, type DatabaseName, DIRECTORY } from "../../src/core/cell-code.ts";
import type { Log } from "../../src/core/log.ts";
import { createPoints } from "../../src/core/points.ts";
import { createReports } from "../../src/core/reports.ts";
import { runTraced, Trace } from "../../src/core/trace.ts";
import { processBatch } from "../../src/runners/queues.ts";
import { CART, call, callV1, cart, LINK, LIST, link, send } from "../support/api.ts";
import { buildApp } from "../support/app.ts";
import { cells } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { realTime } from "../support/later.ts";
import { loggedBy } from "../support/logged.ts";
import { control, EDGE } from "../support/stack.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** One line for each request, queue message and run of the cron. */

type Line = Record<string, unknown>;

/** The lines of this kind that some work leaves in the log. */
async function linesOf(kind: string, work: () => Promise<unknown>): Promise<Line[]> {
  return (await loggedBy(work)).map((line) => JSON.parse(line) as Line).filter(({ message }) => message === kind);
}

afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
});

describe("the line of a request", () => {
  it("says who asked for what, how it ended and what it cost", async () => {
    let id: string | null = null;
    const lines = await linesOf("request", async () => {
      id = (await call(CART, cart())).headers.get("X-Request-Id");
    });
    expect(lines).toEqual([
      {
        at: expect.any(String),
        level: "info",
        message: "request",
        version: expect.stringMatching(/^[0-9a-f]{8}$/),
        method: "POST",
        request: id,
        operation: CART,
        partner: "acme",
        outcome: "success",
        code: null,
        status: 200,
        ms: expect.any(Number),
        // What the key's object does is counted too.
        trips: 4,
        upstream_calls: 2,
        upstream_ms: expect.any(Number),
      },
    ]);
  });

  it.each([
    ["a shape that is wrong", () => call(CART, { items: [] }), { outcome: "refused", code: "INVALID_INPUT", status: 200, operation: CART }],
    ["a key that is unknown", () => call(LIST, {}, crypto.randomUUID()), { outcome: "refused", code: "INVALID_API_KEY", partner: null }],
    [
      "the first generation",
      () => callV1(LINK, link({ stripe_product_id: "" })),
      { outcome: "refused", code: "invalid_input", operation: LINK },
    ],
    ["what is not there", () => send("/v9/nothing"), { outcome: "refused", code: null, status: 404, operation: null }],
    ["a slug that is not known", () => send("/01nobodyKnowsIt"), { outcome: "refused", status: 404, operation: "redirect" }],
    ["an operator without the token", () => send("/ops/partners"), { outcome: "refused", status: 401 }],
    [
      "a call of operators' that finds nothing",
      () => send("/ops/partners/nobody", { headers: { Authorization: "Bearer ops-local" } }),
      { outcome: "refused", status: 404, operation: "ops partners show" },
    ],
    ["the health", () => send("/health"), { outcome: "success", status: 200, operation: "/health" }],
  ])("says what was refused: %s", async (_what, ask, line) => {
    expect(await linesOf("request", ask)).toEqual([expect.objectContaining(line)]);
  });

  it.each([
    ["http_500", "failed", "INTEGRATION_UPSTREAM_ERROR"],
    ["http_400", "refused", "INTEGRATION_UPSTREAM_ERROR"],
  ])("tells what failed from what the processor refused: %s", async (kind, outcome, code) => {
    await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind });
    virtualTime();
    expect(await linesOf("request", () => call(CART, cart()))).toEqual([expect.objectContaining({ outcome, code })]);
  });

  it("has no error where the caller hung up before the end of the request", async () => {
    const cut = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"items":'));
        controller.error(new Error("Network connection lost."));
      },
    });
    const request = new Request(`${EDGE}/${CART}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: cut });
    const lines = await loggedBy(async () => buildApp(buildDeps(env))(request, createExecutionContext()));
    expect(lines.map((line) => JSON.parse(line) as Line)).toEqual([
      expect.objectContaining({ level: "info", outcome: "refused", code: "caller_gone" }),
    ]);
  });
});

it("a queue message has a line, and a run of the cron one for each database", async () => {
  const message = (body: unknown) => ({ id: "1", timestamp: new Date(), body, attempts: 1, ack() {}, retry() {} });
  const batch = (body: unknown) => ({ queue: "processor-events", messages: [message(body)] }) as unknown as MessageBatch;
  const worked = (body: unknown) => linesOf("queue message", () => processBatch(buildDeps(env), batch(body), () => undefined));
  expect(await worked({ databaseName: "01", id: "pi_none" })).toEqual([
    expect.objectContaining({ operation: "processor-events", outcome: "success", trips: expect.any(Number) }),
  ]);
  expect(await worked("nonsense")).toEqual([expect.objectContaining({ outcome: "failed" })]);
  const runs = await linesOf("cron run", cron);
  const run = (databaseName: DatabaseName) =>
    expect.objectContaining({ operation: databaseName, outcome: "success", trips: expect.any(Number) });
  expect(runs).toHaveLength(1 + cells.length);
  expect(runs).toEqual(expect.arrayContaining([run(DIRECTORY), ...cells.map((_, index) => run(cellCodeOf(index + 1)))]));
});

describe("what is reported", () => {
  function reported(shares: { successes: number; redirects: number }, random: number, outcome: Trace["outcome"] | "redirect") {
    const lines: Line[] = [];
    const points: AnalyticsEngineDataPoint[] = [];
    const log: Log = { info: (message, fields) => lines.push({ message, ...fields }), error: () => undefined, with: () => log };
    const dataset = { writeDataPoint: (point?: AnalyticsEngineDataPoint) => points.push(point ?? {}) };
    const reports = createReports(log, createPoints(dataset, "v1"), shares, () => random);
    const work = Object.assign(new Trace(), { operation: "list", partner: "acme", code: null });
    if (outcome === "redirect") reports.redirected("r1", 3);
    else reports.ended("request", Object.assign(work, { outcome }), { ms: 5, status: 200 }, log);
    return { lines: lines.length, points };
  }

  it("is a share of what succeeded, and all that did not", () => {
    expect(reported({ successes: 0.25, redirects: 0 }, 0.24, "success").lines).toBe(1);
    expect(reported({ successes: 0.25, redirects: 0 }, 0.25, "success").lines).toBe(0);
    expect(reported({ successes: 0, redirects: 0 }, 0, "refused").lines).toBe(1);
    expect(reported({ successes: 0, redirects: 0 }, 0, "failed").lines).toBe(1);
    expect(reported({ successes: 1, redirects: 0.01 }, 0.0099, "redirect").lines).toBe(1);
    expect(reported({ successes: 1, redirects: 0.01 }, 0.01, "redirect").lines).toBe(0);
  });

  it("is a point for the analytics too: each piece of work, and a redirect for as many as it stands for", () => {
    const { points } = reported({ successes: 0, redirects: 0 }, 0.5, "success");
    expect(points).toEqual([{ indexes: ["acme"], blobs: ["request", "list", "success", "", "v1"], doubles: [5, 0, 0, 0, 1] }]);
    expect(reported({ successes: 1, redirects: 0.01 }, 0, "redirect").points).toEqual([
      { indexes: [""], blobs: ["request", "redirect", "success", "", "v1"], doubles: [3, 0, 0, 0, 100] },
    ]);
    expect(reported({ successes: 1, redirects: 0.01 }, 0.5, "redirect").points).toEqual([]);
  });

  it("is nothing of work that nobody performs", () => {
    const work = new Trace();
    runTraced(work, () => undefined);
    expect(work).toMatchObject({ partner: null, operation: null, outcome: "success", cost: { trips: 0, upstreamCalls: 0, upstreamMs: 0 } });
  });
});
