import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import rules from "../docs/alert-rules.json";
import page from "../docs/alerts.md?raw";
import dashboard from "../docs/dashboard.json";
import { buildDeps } from "../src/build-deps.ts";
import { endpoints, events, heartbeats, reconciliations, refreshes } from "../src/db/schema/index.ts";
import type { Deps } from "../src/deps.ts";
import { sweepAll, sweepCell } from "../src/runners/sweeps.ts";
import { type AnalyticsRow, parseAnalyticsSql, runAnalyticsSql } from "./support/analytics-sql.ts";
import { CART, call, cart, LIST, REGISTER, send } from "./support/api.ts";
import { deliver, openPayment, tell } from "./support/bank.ts";
import { cron } from "./support/cron.ts";
import { DAY, HOUR, MINUTE, pass, realTime } from "./support/later.ts";
import { changeObject } from "./support/objects.ts";
import { pay } from "./support/payments.ts";
import { control, SANDBOX } from "./support/stack.ts";
import { countOf, emptyTables, updateRows } from "./support/tables.ts";
import { until } from "./support/until.ts";
import { virtualTime } from "./support/virtual-time.ts";

/**
 * Each of the ten alerts: its fault is brought about in the service itself, the points that the service writes are asked with the very
 * query that operators import, and the alert fires within the minutes that docs/alerts.md promises, and ends after the fault.
 */

const all = rules.groups.flatMap((group) => group.rules);
const ruleNamed = (uid: string) => all.find((rule) => rule.uid === uid) ?? expect.fail(`no rule ${uid}`);
const queryOf = (rule: (typeof all)[number]) => rule.data[0]?.model.query ?? expect.fail(`${rule.uid} has no query`);

/** Whether a rule fires over these points at this moment, as Grafana evaluates it. */
function fires(uid: string, now = Date.now()): boolean {
  const rule = ruleNamed(uid);
  const threshold = rule.data[1]?.model.conditions?.[0]?.evaluator ?? expect.fail(`${uid} has no threshold`);
  const [limit = 0] = threshold.params;
  const found = runAnalyticsSql(queryOf(rule), points, now / 1_000);
  if (found.length === 0) return rule.noDataState === "Alerting";
  return found.some(({ value = 0 }) => (threshold.type === "gt" ? Number(value) > limit : Number(value) < limit));
}

let points: AnalyticsRow[] = [];
beforeAll(() => {
  const dataset = env.WORK ?? expect.fail("Analytics Engine is not bound");
  vi.spyOn(dataset, "writeDataPoint").mockImplementation(({ indexes = [], blobs = [], doubles = [] } = {}) => {
    const index1 = indexes.map((index) => (typeof index === "string" ? index : "")).join("");
    points.push({ timestamp: Date.now() / 1_000, index1, blobs: blobs.map(String), doubles });
  });
});
afterAll(() => vi.restoreAllMocks());
beforeEach(async () => {
  // Earlier tests have been in the future: nothing would be compared until then.
  await emptyTables(refreshes, reconciliations);
  points = [];
});
afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
  await control("/events", { environment: "test", hold: false });
  await emptyTables(refreshes);
});

/** Minutes until something is so, a minute after the other: each does its work first. */
async function minutesUntil(isSo: () => boolean, most: number, eachMinute: () => Promise<unknown> = () => Promise.resolve()) {
  for (let minutes = 0; minutes <= most; minutes += 1) {
    await eachMinute();
    if (isSo()) return minutes;
    pass(MINUTE);
  }
  return expect.fail(`not within ${most} minutes`);
}

/** The minutes in which a row of the page promises that an alert is heard. */
const promised = (alert: number) =>
  Number(new RegExp(`^\\| ${alert} \\|.*\\| (\\d+) min \\|$`, "m").exec(page)?.[1] ?? expect.fail(`row ${alert}`));

/** Brings a fault about every minute until the alert fires, then sees it end once the fault is over. */
async function firesAndEnds(
  uid: string,
  fault: () => Promise<unknown>,
  {
    mend = () => Promise.resolve(),
    endsWithin = 61,
    healthy = () => Promise.resolve(),
  }: { mend?: () => Promise<unknown>; endsWithin?: number; healthy?: () => Promise<unknown> } = {},
) {
  await healthy();
  expect(fires(uid)).toBe(false);
  await minutesUntil(() => fires(uid), promised(Number(/^pp-(\d+)-/.exec(uid)?.[1])), fault);
  await mend();
  await minutesUntil(() => !fires(uid), endsWithin, healthy);
}

const many = async (count: number, one: () => Promise<unknown>) => {
  for (let done = 0; done < count; done += 1) await one();
};

describe("an alert fires in time, and ends: ", () => {
  it("1, the service is down", async () => {
    const health = async () => (await send("/health")).status;
    await cron();
    expect(await health()).toBe(200);
    const columns = await env.DIRECTORY.prepare("SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1").first<string>("name");
    const rename = (from: string, to: string) =>
      env.DIRECTORY.prepare("UPDATE d1_migrations SET name = ?2 WHERE name = ?1").bind(from, to).run();
    await rename(columns ?? "", "0000_earlier.sql");
    pass(promised(1) * MINUTE);
    expect(await health()).toBe(503);
    await rename("0000_earlier.sql", columns ?? "");
    pass(MINUTE);
    expect(await health()).toBe(200);
  });

  it("2, requests fail", async () => {
    virtualTime();
    const asks = () => many(60, () => call(LIST, {}));
    await asks();
    expect(fires("pp-2-requests-fail")).toBe(false);
    realTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 9, kind: "reset" });
    await many(2, async () => {
      virtualTime();
      await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind: "http_500" });
      await call(CART, cart({ client_token: crypto.randomUUID() }));
    });
    await minutesUntil(() => fires("pp-2-requests-fail"), promised(2));
    realTime();
    pass(6 * MINUTE);
    await asks();
    expect(fires("pp-2-requests-fail")).toBe(false);
  });

  it("3, operations that ask an upstream are slow", async () => {
    const creations = (ms: number) =>
      many(12, async () => {
        virtualTime();
        if (ms > 0) await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "timeout", ms });
        await call(CART, cart({ client_token: crypto.randomUUID() }));
        realTime();
      });
    await creations(0);
    expect(fires("pp-3-operations-slow")).toBe(false);
    points = [];
    await creations(9_000);
    expect(fires("pp-3-operations-slow")).toBe(true);
    pass(6 * MINUTE);
    expect(fires("pp-3-operations-slow")).toBe(false);
  });

  it("4, the cron stands still, or its sweeps fail", async () => {
    await firesAndEnds("pp-4-cron-still", () => Promise.resolve(), { healthy: () => many(2, cron), endsWithin: 2 });
    points = [];
    const broken: Deps = { ...buildDeps(env), directory: new Proxy(buildDeps(env).directory, { get: () => expect.fail("D1_ERROR") }) };
    const failing: Deps = { ...broken, inDirectory: () => ({ ...buildDeps(env).inDirectory(), db: broken.directory }) };
    await firesAndEnds("pp-4-sweeps-fail", () => sweepAll(failing, (cell) => sweepCell(failing.inCell(cell))), { endsWithin: 11 });
  });

  it("4 is silent while the processor does not answer: the cron runs, and the comparisons are late", async () => {
    await cron();
    for (const list of ["balance_transactions.list", "events.list", "subscriptions.list"])
      await control("/faults", { target: "processor", call: list, times: 100_000, kind: "http_500" });
    virtualTime();
    const minutes = (count: number) =>
      many(count, async () => {
        pass(MINUTE);
        await cron();
      });
    await minutes(6);
    expect([fires("pp-4-cron-still"), fires("pp-4-sweeps-fail"), fires("pp-6-work-late")]).toEqual([false, false, false]);
    for (let crons = 0; crons < 5; crons += 1) {
      pass(3 * MINUTE);
      await minutes(1);
      expect(fires("pp-4-cron-still")).toBe(false);
    }
    await minutes(2);
    expect(fires("pp-6-work-late")).toBe(false);
    await minutesUntil(() => fires("pp-6-work-late"), 4, cron);
    expect(fires("pp-4-cron-still")).toBe(false);
  });

  it("4, one cell is silent while the others are not", async () => {
    const deps = buildDeps(env);
    await many(3, cron);
    expect(fires("pp-4-cron-still")).toBe(false);
    const onlyDirectory = () => sweepAll(deps, () => new Promise(() => undefined));
    const minutes = await minutesUntil(
      () => fires("pp-4-cron-still"),
      promised(4),
      async () => void Promise.race([onlyDirectory(), Promise.resolve()]),
    );
    expect(minutes).toBeGreaterThan(0);
  });

  it("5, queue messages fail, or a webhook has failed for a day", async () => {
    const { processBatch } = await import("../src/runners/queues.ts");
    const message = (body: unknown) => ({ id: "1", timestamp: new Date(), body, attempts: 1, ack() {}, retry() {} });
    const batch = (body: unknown) => ({ queue: "processor-events", messages: [message(body)] }) as unknown as MessageBatch;
    const worked = (body: unknown) => many(11, () => processBatch(buildDeps(env), batch(body), () => undefined));
    await firesAndEnds("pp-5-queue-messages-fail", () => worked("nonsense"), { endsWithin: 6 });
    const failing = (since: number | null) => updateRows(endpoints, { failing_since: since }, { id: "ep_acme_test" });
    await call(REGISTER, { test_url: `${SANDBOX}/inbox/alert`, client_token: "alert" });
    await failing(Date.now() - DAY + HOUR);
    // An event waits for it: a webhook without one has nothing to recover with.
    await updateRows(endpoints, { cooldown_until: Date.now() + 3 * DAY }, { id: "ep_acme_test" });
    await pay(["TestUsd1"]);
    await until(async () => expect(await countOf(events, { state: "pending", endpoint_id: "ep_acme_test" })).toBeGreaterThan(0));
    await cron();
    expect(fires("pp-5-webhook-fails")).toBe(false);
    pass(HOUR + MINUTE);
    await cron();
    expect(fires("pp-5-webhook-fails")).toBe(true);
    // One that is suspended is tried no more, and waits for its partner.
    await updateRows(endpoints, { status: "suspended" }, { id: "ep_acme_test" });
    pass(6 * MINUTE);
    await cron();
    expect(fires("pp-5-webhook-fails")).toBe(false);
    await updateRows(endpoints, { status: "active", cooldown_until: 0 }, { id: "ep_acme_test" });
    await failing(null);
    pass(6 * MINUTE);
    await cron();
    expect(fires("pp-5-webhook-fails")).toBe(false);
  });

  it("6, payments are recorded late while look-ups fail, however far the next attempt is", async () => {
    await control("/faults", { target: "processor", call: "charges.retrieve", times: 100_000, kind: "http_400" });
    await pay(["TestUsd1"]);
    await until(async () => expect(await countOf(refreshes, { attempts: 1 })).toBe(1));
    await firesAndEnds("pp-6-work-late", cron, {
      async mend() {
        await control("/faults", undefined, "DELETE");
        await emptyTables(refreshes);
      },
      endsWithin: 6,
      healthy: cron,
    });
    points = [];
    await control("/faults", { target: "processor", call: "charges.retrieve", times: 100_000, kind: "http_400" });
    await many(20, () => pay(["TestUsd1"]));
    await until(() => expect(fires("pp-6-events-not-processed")).toBe(true));
    pass(6 * MINUTE);
    expect(fires("pp-6-events-not-processed")).toBe(false);
  });

  it("7, money without an owner", async () => {
    expect(fires("pp-7-money-without-owner")).toBe(false);
    const { body } = await call(CART, cart({ client_token: crypto.randomUUID() }));
    const metadata = { partner_id: "globex" };
    await changeObject(body.payment_link_id, { metadata, payment_intent_data: { metadata } });
    await control("/pay", { payment_link_id: body.payment_link_id });
    await minutesUntil(
      () => fires("pp-7-money-without-owner"),
      promised(7),
      async () => {
        await cron();
        await until(async () => expect(await countOf(refreshes, { state: "due", last_error: null })).toBe(0));
      },
    );
    pass(11 * MINUTE);
    expect(fires("pp-7-money-without-owner")).toBe(false);
  });

  it("8, events of the processor are missed, or signed with another secret", async () => {
    await control("/events", { environment: "test", hold: true });
    await many(8, () => pay(["TestUsd1"]));
    expect(fires("pp-8-events-missed")).toBe(false);
    await minutesUntil(() => fires("pp-8-events-missed"), promised(8), cron);
    pass(61 * MINUTE);
    expect(fires("pp-8-events-missed")).toBe(false);
    points = [];
    await firesAndEnds("pp-8-signatures-wrong", () =>
      many(6, () =>
        send("/ingest/processor/test", {
          method: "POST",
          body: "{}",
          headers: { "Stripe-Signature": `t=${Math.floor(Date.now() / 1_000)},v1=${"0".repeat(64)}` },
        }),
      ),
    );
  });

  it("9, the bank contradicts, or its password is another", async () => {
    const payment = await openPayment();
    await firesAndEnds("pp-9-bank-contradicts", () => tell(payment, "CONFIRMED", { Amount: payment.amount_kopecks + 1 }), {
      endsWithin: 11,
    });
    await firesAndEnds("pp-9-bank-refuses", () => many(3, () => deliver(JSON.stringify({ TerminalKey: "nobody", Token: "0" }))), {
      endsWithin: 11,
    });
  });

  it("10, somebody tries to get in", async () => {
    await firesAndEnds(
      "pp-10-operators-refused",
      () => many(10, () => send("/ops/partners", { headers: { Authorization: "Bearer wrong" } })),
      { endsWithin: 6 },
    );
    await firesAndEnds(
      "pp-10-keys-refused",
      async () => {
        const [request] = points.filter(({ blobs }) => blobs[3] === "INVALID_API_KEY");
        await call(LIST, {}, crypto.randomUUID());
        // So many more of the same: each would take some milliseconds.
        if (request !== undefined) points.push(...Array.from({ length: 300 }, () => ({ ...request, timestamp: Date.now() / 1_000 })));
      },
      { endsWithin: 6 },
    );
  });
});

describe("what operators import", () => {
  it("has each of the ten that points can tell, with a query that the platform takes", () => {
    expect(new Set(all.map(({ labels }) => Number(labels.alert)))).toEqual(new Set([2, 3, 4, 5, 6, 7, 8, 9, 10]));
    expect(new Set(all.map(({ uid }) => uid)).size).toBe(all.length);
    for (const rule of all) {
      const query = parseAnalyticsSql(queryOf(rule));
      expect([rule.uid, query.table, query.items.at(-1)?.alias]).toEqual([rule.uid, "partner_payments", "value"]);
      expect(page).toContain(rule.title.replace(/^\d+\. /, "").toLowerCase());
    }
  });

  it("draws pictures with queries that the platform takes, once the plugin has put its times in", () => {
    const macros = (sql: string) =>
      sql
        .replaceAll("$timeSeries", "(intDiv(toUInt32(timestamp), 60) * 60) * 1000")
        .replaceAll("$timeFilter", "timestamp >= toDateTime(1700000000) AND timestamp <= toDateTime(1700003600)")
        .replaceAll("$interval", "60");
    for (const { title, targets } of dashboard.panels) {
      for (const { query, format } of targets) {
        const { items } = parseAnalyticsSql(macros(query));
        expect([title, query.includes("$timeFilter"), items.at(-1)?.alias]).toEqual([title, true, "value"]);
        expect([title, query.includes("$timeSeries")]).toEqual([title, format === "time_series"]);
      }
    }
  });

  it.each([
    ["SELECT a FROM t", "no column a"],
    ["SELECT quantileWeighted(0.95)(double1, _sample_interval) AS value FROM t", "no function quantileWeighted"],
    ["SELECT quantileExactWeighted(double1, _sample_interval) AS value FROM t", "takes others"],
    ["SELECT SUM(double1) AS value FROM t WHERE SUM(double1) > 1", "WHERE has an aggregate"],
    ["SELECT blob1 AS kind, COUNT() AS value FROM t", "neither grouped"],
    ["SELECT COUNT() AS value FROM t WHERE timestamp > NOW() - INTERVAL 5 MINUTE", "a text of digits"],
    ["SELECT COUNT() FROM t", "without a name"],
    ["SELECT COUNT() AS value FROM t JOIN u", "more than a query"],
  ])("is refused as the platform does: %s", (sql, message) => {
    expect(() => parseAnalyticsSql(sql)).toThrow(message);
  });
});

it("the cron leaves a trace of its own, which the alerts stand on", async () => {
  await emptyTables(heartbeats);
  await cron();
  const waiting = points.filter(({ blobs }) => blobs[0] === "waiting").map(({ blobs }) => blobs[1]);
  expect(waiting).toEqual([
    "deliveries",
    "looking up payments",
    "unfinished operations",
    "undoing failed attempts",
    "asking for ruble payments",
    "comparing with the processor",
    "a webhook that fails",
  ]);
});
