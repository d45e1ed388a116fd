import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import deployment from "../../docs/deploy.md?raw";
import { buildDeps } from "../../src/build-deps.ts";
import { fetchSandbox } from "../../src/core/fetch-sandbox.ts";
import { connectCell } from "../../src/db/client.ts";
import { dailyRecords, heartbeats, idempotencyRecords, refreshes } from "../../src/db/schema/index.ts";
import { DATABASE_BYTES, NEARLY_FULL } from "../../src/db/size.ts";
import type { Deps } from "../../src/deps.ts";
import { checkHealth, isHealthy } from "../../src/health/check.ts";
import { fullnessOf, stateOf as stateOfDatabase } from "../../src/health/databases.ts";
import { type HealthState, worstOf } from "../../src/health/finding.ts";
import { RESUMED_BY_CALLER } from "../../src/idempotency/find-records.ts";
import { sentEventTypes } from "../../src/ledger/sources.ts";
import { neededRights } from "../../src/processor/needed-rights.ts";
import { createProcessor } from "../../src/processor/processor.ts";
import { API_VERSION } from "../../src/processor/version.ts";
import { workflows } from "../../src/runners/workflows.ts";
import { CART, call, cart, keys, REGISTER, send } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { DAY, HOUR, MINUTE, pass, realTime, SECOND } from "../support/later.ts";
import { ops } from "../support/ops.ts";
import { withMethods } from "../support/processor.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { emptyTables, updateRows } from "../support/tables.ts";

/** The calls that the rights of a key are tried by, each with the right, and with what does not work without it. */
const RIGHTS: Readonly<Record<string, readonly [string, string]>> = {
  "products.list": ["Products", "no product can be approved"],
  "prices.list": ["Prices", "no link can be made"],
  "payment_links.list": ["Payment Links", "no link can be made"],
  "coupons.list": ["Coupons", "no promotion code can be created"],
  "promotion_codes.list": ["Promotion Codes", "no promotion code can be created"],
  "subscriptions.list": ["Subscriptions", "subscriptions are not seen, and cannot be cancelled"],
  "charges.list": ["Charges", "no payment is recorded"],
  "refunds.list": ["Refunds", "no refund is recorded"],
  "disputes.list": ["Disputes", "no dispute is recorded"],
  "payment_intents.list": ["Payment Intents", "payments show no owner"],
  "checkout.sessions.list": ["Checkout Sessions", "order references and free orders are not seen"],
  "invoices.list": ["Invoices", "renewals show no owner"],
  "balance_transactions.list": ["Balance Transactions", "no payment is recorded"],
  "events.list": ["Events", "events that were missed are not found again"],
};

afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
  await emptyTables(refreshes);
});

/** The findings of one check, with something of the service replaced that is not ours. */
async function found(check: string, change: (deps: Deps) => Partial<Deps> = () => ({})) {
  const deps = buildDeps(env);
  const findings = await checkHealth({ ...deps, ...change(deps) });
  return findings.find((finding) => finding.check === check) ?? expect.fail(`no check ${check}`);
}
const stateOf = async (check: string, change?: (deps: Deps) => Partial<Deps>) => (await found(check, change)).state;

describe("the health of the service", () => {
  it("is all that an operator may want to know, each with what to do", async () => {
    await cron();
    const { status, body } = await ops("health");
    expect([status, body.success]).toEqual([200, true]);
    const states = Object.fromEntries(body.checks.map(({ check, state }: { check: string; state: string }) => [check, state]));
    expect(states).toMatchObject({
      directory: "ok",
      "cell 01": "ok",
      "short links' cache": "ok",
      snapshots: "ok",
      "queue deliveries": "ok",
      "queue processor-events": "ok",
      cron: "ok",
      "processor live": "ok",
      "processor live events": "ok",
      "processor test": "ok",
      "processor test events": "ok",
      "bank live first": "ok",
      "bank test second": "ok",
      deliveries: "ok",
      "looking up payments": "ok",
      // The fixtures have products in moderation: the service goes on, and a person is wanted.
      "Products to moderate": "warning",
    });
    for (const { state, cure } of body.checks) expect(cure === null).toBe(state === "ok");
    expect(body.status).toBe("warning");
  });

  it.each([
    ["directory", "directory"],
    ["cell 01", "cell"],
  ] as const)("has a warning for a %s that is nearly full", (check, kind) => {
    expect(fullnessOf(check, kind, 0.81 * DATABASE_BYTES)).toMatchObject({ check, state: "warning", detail: "it is 81 % full" });
  });

  it("knows the size of each database", async () => {
    const { bytes } = await stateOfDatabase(connectCell(env.CELL_1));
    expect([bytes > 4_096, bytes < NEARLY_FULL]).toEqual([true, true]);
  });

  it("is as bad as its worst check", () => {
    const of = (state: HealthState) => ({ check: "", state, detail: "", cure: null, list: null });
    expect(worstOf([])).toBe("ok");
    expect(worstOf([of("ok"), of("warning")])).toBe("warning");
    expect(worstOf([of("unknown"), of("warning")])).toBe("unknown");
    expect(worstOf([of("failed"), of("unknown"), of("ok")])).toBe("failed");
  });

  it("is not healthy with a database that lacks a migration, and is with one that has later ones", async () => {
    const rename = (from: string, to: string) =>
      env.CELL_1.prepare("UPDATE d1_migrations SET name = ?2 WHERE name = ?1").bind(from, to).run();
    const last = (await env.CELL_1.prepare("SELECT name FROM d1_migrations ORDER BY id DESC").first<string>("name")) ?? "";
    await rename(last, "0000_before.sql");
    expect(await found("cell 01")).toMatchObject({
      state: "failed",
      detail: expect.stringContaining(last),
      cure: expect.stringContaining("npm run deploy"),
    });
    expect(await isHealthy(buildDeps(env))).toBe(false);
    await rename("0000_before.sql", "9999_later.sql");
    expect(await stateOf("cell 01")).toBe("ok");
    await rename("9999_later.sql", last);
    expect(await isHealthy(buildDeps(env))).toBe(true);
  });

  it("sees a clock that is more than five seconds off", async () => {
    pass(4 * SECOND);
    expect(await stateOf("directory")).toBe("ok");
    pass(10 * MINUTE);
    expect(await found("directory")).toMatchObject({ state: "warning", detail: expect.stringMatching(/its clock is \d+ min off/) });
  });

  it("sees stores and queues that fail, and a queue whose oldest message is late", async () => {
    const fails = () => Promise.reject(new Error("no answer"));
    expect(await found("short links' cache", () => ({ shortLinkCache: { get: fails } as unknown as KVNamespace }))).toMatchObject({
      state: "failed",
      detail: "Error: no answer",
    });
    expect(await stateOf("snapshots", () => ({ snapshotBucket: { head: fails } as unknown as R2Bucket }))).toBe("failed");
    const queueWith = (metrics: () => Promise<object>) => ({ queues: { deliveries: { metrics } as unknown as Queue } });
    expect(await stateOf("queue deliveries", () => queueWith(fails))).toBe("failed");
    const waits = (ms: number) => () =>
      Promise.resolve({ backlogCount: 3, backlogBytes: 9, oldestMessageTimestamp: new Date(Date.now() - ms) });
    expect(await stateOf("queue deliveries", () => queueWith(waits(24 * HOUR)))).toBe("ok");
    expect(await stateOf("queue deliveries", () => queueWith(waits(26 * HOUR)))).toBe("warning");
  });

  it("sees a cron that has not run for three minutes", async () => {
    await emptyTables(heartbeats);
    expect(await stateOf("cron")).toBe("warning");
    pass(0);
    await cron();
    pass(170 * SECOND);
    expect(await stateOf("cron")).toBe("ok");
    pass(15 * SECOND);
    expect(await stateOf("cron")).toBe("failed");
    const deps = buildDeps(env);
    expect(await isHealthy({ ...deps, settings: { ...deps.settings, local: false } })).toBe(false);
    // Locally, somebody else makes it run.
    expect(await isHealthy(deps)).toBe(true);
  });

  it("sees a key of the processor's that does not work", async () => {
    await control("/faults", { target: "processor", call: "balance_transactions.list", times: 9, kind: "http_400" });
    expect(await found("processor live")).toMatchObject({ state: "failed", cure: expect.stringContaining("PROCESSOR_KEY_LIVE") });
  });

  it.each([
    ["none that leads here", [{ url: "https://other.example/hook" }], "failed", "no event destination"],
    ["one of the other environment", [{ url: "http://localhost:8787/ingest/processor/test" }], "failed", "no event destination"],
    ["one that is switched off", [{ isEnabled: false }], "failed", "switched off"],
    ["one of another version", [{ apiVersion: "2020-08-27" }], "warning", "2020-08-27"],
    ["one of the account's version", [{ apiVersion: null }], "warning", "the account's"],
    ["one that lacks a type", [{ types: sentEventTypes.slice(1) }], "warning", sentEventTypes[0] ?? ""],
    ["one with all types", [{ types: sentEventTypes }], "ok", `${sentEventTypes.length} types, snapshot payloads`],
    ["one for everything, beside another", [{ url: "https://other.example/hook" }, {}], "ok", "all types, snapshot payloads, version"],
    ["what the key may not see", null, "warning", "may not list"],
  ])("looks at the event destinations: %s", async (_what, destinations, state, detail) => {
    const usual = { url: "http://localhost:8787/ingest/processor/live", isEnabled: true, apiVersion: API_VERSION, types: ["*"] };
    const all = destinations?.map((different) => ({ ...usual, ...different })) ?? null;
    const finding = await found("processor live events", (deps) => ({
      processor: (environment) => withMethods(deps.processor(environment), { listEventDestinations: () => Promise.resolve(all) }),
    }));
    expect(finding).toMatchObject({ state, detail: expect.stringContaining(detail) });
  });

  it.each(Object.entries(RIGHTS))("names a right that a key lacks, and what does not work: %s", async (name, [right, without]) => {
    await control("/faults", { target: "processor", call: name, times: 1, kind: "http_403" });
    const findings = (await checkHealth(buildDeps(env))).filter(({ check, state }) => check.endsWith(" rights") && state !== "ok");
    expect(findings).toMatchObject([
      {
        check: expect.stringMatching(/^processor (live|test) rights$/),
        state: "failed",
        detail: `the key may not read ${right}: ${without}`,
      },
    ]);
    expect(findings[0]?.cure).toContain(`the permission ${right}`);
  });

  it("knows each right that docs/deploy.md names, and a key that is refused altogether", async () => {
    expect(neededRights).toEqual(Object.values(RIGHTS).map(([right]) => right));
    for (const right of neededRights) expect(deployment.toLowerCase()).toContain(right.toLowerCase());
    const refused = () => ({
      processor: () =>
        createProcessor({ base: SANDBOX, key: "pk_of_nobody", environment: "test", send: fetchSandbox, report: () => undefined }),
    });
    expect(await found("processor test", refused)).toMatchObject({ state: "failed", cure: expect.stringContaining("PROCESSOR_KEY_TEST") });
  });

  it("sees a terminal whose password the bank does not take", async () => {
    await control("/faults", { target: "bank", call: "bank.CheckOrder", times: 99, kind: "http_500" });
    expect(await found("bank live first")).toMatchObject({ state: "failed", cure: expect.stringContaining("BANK_TERMINALS") });
  });
});

describe("what the service does by itself", () => {
  const since = (ms: number) => Date.now() - ms;
  const refresh = (ms: number) =>
    env.CELL_1.prepare(
      "INSERT OR REPLACE INTO refreshes (subject, environment, state, attempts, next_attempt_at, since) VALUES ('pi_late', 'live', 'due', 0, ?1, ?1)",
    )
      .bind(since(ms))
      .run();
  it.each([
    [9 * MINUTE, "ok"],
    [11 * MINUTE, "warning"],
    [59 * MINUTE, "warning"],
    [61 * MINUTE, "failed"],
  ])("is late with looking up payments after ten minutes, and too late after an hour: %i ms", async (ms, state) => {
    await refresh(ms);
    expect(await stateOf("looking up payments")).toBe(state);
  });

  it.each([
    [29 * MINUTE, "ok"],
    [31 * MINUTE, "warning"],
    [6 * HOUR + MINUTE, "failed"],
  ])("is late with an operation that was cut off: %i ms", async (ms, state) => {
    await call(CART, cart({ client_token: `late-${ms}` }));
    await updateRows(idempotencyRecords, { state: "running", begun_at: since(ms) });
    expect(await stateOf("unfinished operations")).toBe(state);
    await emptyTables(idempotencyRecords, dailyRecords);
  });

  it("is not late with one that its caller alone resumes, as the workflows say", async () => {
    expect(RESUMED_BY_CALLER).toEqual([...workflows.values()].filter(({ autoResume }) => !autoResume).map(({ operation }) => operation));
    await call(REGISTER, { test_url: `${SANDBOX}/inbox/left`, client_token: "left" }, keys.globex);
    await updateRows(idempotencyRecords, { state: "running", begun_at: since(DAY) });
    expect(await stateOf("unfinished operations")).toBe("ok");
    await emptyTables(idempotencyRecords, dailyRecords);
  });

  it("is late with deliveries that a receiver would take, and not with those that wait for it", async () => {
    const event = (id: string, waiting: number, at: number) =>
      env.CELL_1.prepare(
        "INSERT INTO events (id, partner_id, environment, name, cause, payload, endpoint_id, state, attempts, unscheduled_attempts, waiting, next_attempt_at, created_at) VALUES (?1, 'acme', 'test', 'x', ?1, '{}', 'ep_late', 'pending', 0, 0, ?2, ?3, ?3)",
      ).bind(id, waiting, at);
    const db = connectCell(env.CELL_1);
    await db.$client.batch([
      env.CELL_1.prepare(
        "INSERT INTO endpoints (id, partner_id, environment, url, status, failures, cooldown_until, revision, created_at, updated_at) VALUES ('ep_late', 'acme', 'test', 'https://shop.example', 'active', 0, 0, 0, 0, 0)",
      ),
      event("evt_late", 1, since(6 * MINUTE)),
      event("evt_later", 0, since(MINUTE)),
    ]);
    expect(await stateOf("deliveries")).toBe("warning");
    pass(25 * MINUTE);
    expect(await stateOf("deliveries")).toBe("failed");
    realTime();
    await env.CELL_1.prepare("UPDATE endpoints SET status = 'suspended' WHERE id = 'ep_late'").run();
    expect(await stateOf("deliveries")).toBe("ok");
    await env.CELL_1.prepare("DELETE FROM events WHERE endpoint_id = 'ep_late'").run();
    await env.CELL_1.prepare("DELETE FROM endpoints WHERE id = 'ep_late'").run();
  });
});

describe("/health", () => {
  it("tells outsiders only whether all is well, and is asked of the databases every ten seconds at most", async () => {
    pass(HOUR);
    const answer = await send("/health");
    expect([answer.status, answer.body]).toEqual([200, { status: "ok" }]);
    await env.CELL_1.prepare("UPDATE d1_migrations SET name = '!' || name").run();
    pass(9 * SECOND);
    expect((await send("/health")).status).toBe(200);
    pass(2 * SECOND);
    const failing = await send("/health");
    expect([failing.status, failing.body]).toEqual([503, { status: "failed" }]);
    await env.CELL_1.prepare("UPDATE d1_migrations SET name = substr(name, 2)").run();
    pass(11 * SECOND);
    expect((await send("/health")).status).toBe(200);
  });

  it("tells operators all of it, and refuses whoever only says to be one", async () => {
    await cron();
    const all = await send("/health", { headers: { Authorization: "Bearer ops-local" } });
    expect([all.status, all.body.checks.length]).toEqual([200, (await ops("health")).body.checks.length]);
    const refused = await send("/health", { headers: { Authorization: "Bearer guessed" } });
    expect([refused.status, refused.body.checks]).toEqual([401, undefined]);
    expect((await send("/health", { method: "POST" })).status).toBe(405);
  });
});
