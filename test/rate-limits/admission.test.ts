import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { CallBudget } from "../../src/core/call-budget.ts";
import { NO_COST } from "../../src/core/trace.ts";
import { idempotencyRecords, movements } from "../../src/db/schema/index.ts";
import type { Deps } from "../../src/deps.ts";
import type { KeyActors } from "../../src/idempotency/client.ts";
import { KeyRunner } from "../../src/idempotency/runner.ts";
import { callProcessor } from "../../src/processor/calls.ts";
import { countedNetworks } from "../../src/rate-limits/address.ts";
import { createRateLimits, mayCallFor, type RateLimitBindings } from "../../src/rate-limits/admission.ts";
import { counterOf, countIn } from "../../src/rate-limits/counter.ts";
import { workflows } from "../../src/runners/workflows.ts";
import { CART, callV1, cart, keyFor, keys, LINK, LIST, link, REGISTER } from "../support/api.ts";
import { buildApp } from "../support/app.ts";
import { cellDeps } from "../support/cells.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { change } from "../support/ops.ts";
import { line } from "../support/payments.ts";
import { signIn } from "../support/sign-in.ts";
import { control, EDGE, SANDBOX } from "../support/stack.ts";
import { rowOf } from "../support/tables.ts";
import { upTo } from "../support/up-to.ts";
import { virtualTime } from "../support/virtual-time.ts";

interface Asked {
  readonly key?: string;
  readonly body?: object;
  readonly address?: string;
  readonly method?: string;
  /** Of an agent; instead of a key. */
  readonly token?: string;
}

/** The service with these limits. */
function serviceWith(bindings: RateLimitBindings, some: Partial<Deps> = {}) {
  const own = cellDeps();
  const deps: Deps = {
    ...own,
    rateLimits: createRateLimits(bindings, own.clock, 1),
    ...some,
    forRequest: (request, address) => ({ ...own.forRequest(request, address), ...some, rateLimits: deps.rateLimits }),
  };
  const app = buildApp(deps);
  return async (path: string, { key = keys.acme, body = {}, address = "192.0.2.1", method = "POST", token }: Asked = {}) => {
    const headers = {
      "Content-Type": "application/json",
      ...(token === undefined ? { "X-Partner-Api-Key": key } : { Authorization: `Bearer ${token}` }),
      "CF-Connecting-IP": address,
      Accept: "application/json, text/event-stream",
    };
    const init = method === "GET" ? { headers, redirect: "manual" as const } : { method, headers, body: JSON.stringify(body) };
    const response = await app(new Request(`${EDGE}/${path}`, init), { waitUntil: () => undefined } as unknown as ExecutionContext);
    const text = await response.text();
    return { status: response.status, text, retryAfter: response.headers.get("Retry-After") };
  };
}

const TOO_MANY = {
  status: 429,
  text: expect.stringMatching(/^{"success":false,"error(_code":"RATE_LIMITED","error_message)?":"Too many [^"]+ Try again in [^"]+"}$/),
};
const WRONG = "a0000000-0000-4000-8000-00000000ffff";

afterEach(realTime);

describe("a partner", () => {
  // interface G.4
  it("may make so many creations in a minute; others, and its queries, are not held up", async () => {
    const ask = serviceWith({ CREATIONS: upTo(2), READS: upTo(100) });
    for (let made = 1; made <= 2; made += 1) expect((await ask(CART, { body: cart() })).status).toBe(200);
    expect(await ask(CART, { body: cart() })).toMatchObject({ ...TOO_MANY, retryAfter: "60" });
    expect((await ask(CART, { key: keys.globex, body: cart() })).status).toBe(200);
    expect((await ask(LIST)).status).toBe(200);
  });

  // interface G.4
  it("may make so many queries in a minute", async () => {
    const ask = serviceWith({ READS: upTo(2) });
    for (let made = 1; made <= 2; made += 1) expect((await ask(LIST)).status).toBe(200);
    expect(await ask(LIST)).toMatchObject(TOO_MANY);
    // Another permission has its own.
    const objects = () => ask("webhook/get-processor-objects", { body: { api_key: keys.acme } });
    for (let made = 1; made <= 2; made += 1) expect((await objects()).status).toBe(400);
    expect((await objects()).status).toBe(429);
    expect((await ask(CART, { body: cart() })).status).toBe(200);
  });

  it("is asked for nothing where the isolate knows the key: no database is read", async () => {
    let reads = 0;
    const directory = new Proxy(cellDeps().directory, {
      get(target, name) {
        reads += 1;
        return Reflect.get(target, name);
      },
    });
    const ask = serviceWith({ READS: upTo(1) }, { directory });
    expect((await ask(LIST)).status).toBe(200);
    const before = reads;
    expect(before).toBeGreaterThan(0);
    expect((await ask(LIST)).status).toBe(429);
    expect(reads).toBe(before);
  });

  it("has one limit for all its keys", async () => {
    const binding = upTo(100);
    const ask = serviceWith({ READS: binding });
    await ask(LIST);
    await ask(LIST, { key: "a0000000-0000-4000-8000-000000000012" });
    expect([...binding.counts]).toEqual([["acme balance_view any 0", 2]]);
  });

  it("has what reads many rows counted as several queries, for keys and people alike", async () => {
    const binding = upTo(1_000);
    const ask = serviceWith({ READS: binding });
    const counted = async (path: string) => {
      binding.counts.clear();
      expect([path, (await ask(path, { method: "GET" })).status]).toEqual([path, 200]);
      return [...binding.counts.values()].reduce((sum, count) => sum + count, 0);
    };
    expect(await counted("partner/products")).toBe(1);
    for (const list of [
      "orders",
      "payments",
      "bank-payments",
      "disputes",
      "payouts",
      "subscriptions",
      "links",
      "requests",
      "promotion-codes",
      "deliveries",
    ])
      expect([list, await counted(`partner/${list}`)]).toEqual([list, 5]);
    for (const sum of ["balance", "statements", "reports/subscriptions"]) expect([sum, await counted(`partner/${sum}`)]).toEqual([sum, 20]);
    for (const most of ["find?q=nothing", "reports/sales", "reports/links", "exports/orders"])
      expect([most, await counted(`partner/${most}`)]).toEqual([most, 50]);
    binding.counts.clear();
    const sum = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "sum-partner-processor-transactions", arguments: {} } };
    expect((await ask("mcp", { body: sum })).status).toBe(200);
    expect([...binding.counts.values()]).toEqual([20]);
  });

  it("has the calls of an agent counted that the protocol's library refuses, and gets the answer of the operation beyond the limit", async () => {
    const { access: token } = await signIn();
    const binding = upTo(1_000);
    const ask = serviceWith({ READS: binding });
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: LIST, arguments: {}, _meta: 5 } };
    await ask("mcp", { token, body: call });
    expect([...binding.counts.values()].length).toBeGreaterThan(0);
    const full = serviceWith({ READS: upTo(0) });
    const { _meta: _, ...params } = call.params;
    const answer = await full("mcp", { token, body: { ...call, params } });
    expect(answer).toMatchObject({ status: 429, retryAfter: expect.any(String) });
    expect(JSON.parse(answer.text)).toEqual({
      success: false,
      error_code: "RATE_LIMITED",
      error_message: expect.stringContaining("Too many"),
    });
  });

  // interface G.4
  it("has a budget for each permission: what a key may not do uses up nothing of what another may", async () => {
    const creations = upTo(2);
    const ask = serviceWith({ CREATIONS: creations });
    const url = () => ({ test_url: `${SANDBOX}/inbox/budget`, client_token: crypto.randomUUID() });
    const viewer = keyFor("balance_view");
    for (let tried = 1; tried <= 3; tried += 1) await ask(CART, { key: viewer, body: cart() });
    expect(await ask(CART, { key: viewer, body: cart() })).toMatchObject(TOO_MANY);
    for (let tried = 1; tried <= 3; tried += 1) await ask(REGISTER, { key: keyFor("webhook_config"), body: url() });
    expect(await ask(REGISTER, { body: url() })).toMatchObject(TOO_MANY);
    expect((await ask(CART, { body: cart() })).text).toContain('"success":true');
    expect([...creations.counts.keys()]).toEqual(["acme denied any 0", "acme webhook_config test 0", "acme product_create test 0"]);
  });

  it("has a budget for each environment, also where the product says which", async () => {
    const ask = serviceWith({ CREATIONS: upTo(1), READS: upTo(1) });
    const test = { body: cart() };
    const live = { body: cart({ items: [line("LiveUsd1")] }) };
    expect((await ask(CART, test)).text).toContain('"success":true');
    expect(await ask(CART, test)).toMatchObject(TOO_MANY);
    expect((await ask(CART, live)).text).toContain('"success":true');
    expect((await ask(LIST, { body: { environment: "test" } })).status).toBe(200);
    expect(await ask(LIST, { body: { environment: "test" } })).toMatchObject(TOO_MANY);
    expect((await ask(LIST, { body: { environment: "live" } })).status).toBe(200);
    expect((await ask(LIST)).status).toBe(200);
  });

  it("has requests that are refused for their shape counted apart", async () => {
    const ask = serviceWith({ CREATIONS: upTo(1) });
    for (let tried = 1; tried <= 2; tried += 1) await ask(CART, { body: { items: "none" } });
    expect(await ask(CART, { body: { items: "none" } })).toMatchObject(TOO_MANY);
    expect((await ask(CART, { body: cart() })).text).toContain('"success":true');
  });

  it("has a read of many payments counted as more than one", async () => {
    const reads = upTo(100);
    const ask = serviceWith({ READS: reads });
    const rows = Array.from({ length: 25 }, (_, index) => ({
      id: `processor:txn_weighed${index}`,
      partnerId: "weighed",
      environment: "test" as const,
      amount: 1,
      currency: "USD",
      status: "completed" as const,
      type: "processor_payment_in" as const,
      transactionDate: Date.UTC(2026, 0, 1) + index,
      isSubscription: false,
      paymentIntentId: `pi_weighed${index}`,
      updatedAt: 0,
    }));
    for (const row of rows)
      await cellDeps()
        .db.insert(movements)
        .values({ ...row, partnerId: "acme" });
    const { text } = await ask("webhook/get-processor-objects", {
      body: { api_key: keys.acme, created: { gte: "2026-01-01", lte: "2026-01-02" } },
    });
    expect(text).toContain('"count":25');
    expect([...reads.counts]).toEqual([["acme payment_read any 0", 3]]);
  });

  it("gets the same by MCP", async () => {
    const ask = serviceWith({ READS: upTo(0) });
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: LIST, arguments: {} } };
    expect(await ask("mcp", { body })).toMatchObject({ ...TOO_MANY, retryAfter: "60" });
  });

  it("has the same limits by an agent's token, also for what is no call", async () => {
    const { access } = await signIn();
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const ask = serviceWith({ READS: upTo(1) });
    expect((await ask("mcp", { body, token: access })).status).toBe(200);
    expect(await ask("mcp", { body, token: access })).toMatchObject({ ...TOO_MANY, retryAfter: "60" });
    const query = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: LIST, arguments: { environment: "test" } } };
    expect((await ask("mcp", { body: query, token: access })).status).toBe(200);
    expect(await ask("mcp", { body: query, token: access })).toMatchObject(TOO_MANY);
    const invented = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "no-such-tool", arguments: {} } };
    expect(await ask("mcp", { body: invented, token: access })).toMatchObject(TOO_MANY);
  });

  it("is not limited where a binding is left out", async () => {
    const ask = serviceWith({});
    for (let made = 1; made <= 3; made += 1) expect((await ask(LIST)).status).toBe(200);
  });
});

/** How many pauses between two look-ups have passed since. Everything else takes some milliseconds of virtual time. */
function pauses(): () => number {
  const began = Date.now();
  return () => Math.floor((Date.now() - began) / 250);
}

describe("an address", () => {
  it("may register so many hosts of agents in a minute", async () => {
    const ask = serviceWith({ SIGN_INS: upTo(1) });
    const body = { redirect_uris: ["https://host.example/callback"], token_endpoint_auth_method: "none" };
    for (let made = 1; made <= 2; made += 1) expect((await ask("oauth/register", { body })).status).toBe(201);
    expect(await ask("oauth/register", { body })).toMatchObject({ status: 429, text: expect.stringContaining("Too many sign-ins") });
    expect(await ask("oauth/authorize", { method: "GET" })).toMatchObject({
      status: 429,
      text: expect.stringContaining("Too many sign-ins"),
    });
    expect((await ask("oauth/register", { body, address: "192.0.2.2" })).status).toBe(201);
    pass(MINUTE);
    expect((await ask("oauth/register", { body })).status).toBe(201);
  });

  it("is slow after so many refused keys: one look-up after the other, and a right key still works", async () => {
    const ask = serviceWith({ REFUSED_KEYS: upTo(2) });
    for (const key of [WRONG, "no uuid", WRONG]) expect((await ask(LIST, { key })).text).toContain("INVALID_API_KEY");
    virtualTime();
    const pausesSince = pauses();
    // A key that this isolate has not seen.
    expect((await ask(LIST, { key: keys.globex })).status).toBe(200);
    expect(pausesSince()).toBe(1);
    // A known one does not wait, nor does another address.
    expect((await ask(LIST, { key: keys.globex })).status).toBe(200);
    expect((await ask(LIST, { key: WRONG, address: "192.0.2.2" })).text).toContain("INVALID_API_KEY");
    expect(pausesSince()).toBe(1);
    const many = await Promise.all(Array.from({ length: 22 }, () => ask(LIST, { key: WRONG })));
    expect(many.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(many.find(({ status }) => status === 429)).toMatchObject(TOO_MANY);
    expect(pausesSince()).toBe(21);
    realTime();
    pass(MINUTE);
    expect((await ask(LIST, { key: "a0000000-0000-4000-8000-000000000012" })).status).toBe(200);
  });

  it("has a key of ours looked up at once, however many guesses wait; once refused, it waits as they do", async () => {
    const issued = async () => (await change("partners/globex/keys", { label: "x", permissions: ["payment_read"] })).body;
    const [right, revoked] = [await issued(), await issued()];
    await change(`keys/${revoked.key_id}/revoke`);
    const ask = serviceWith({ REFUSED_KEYS: upTo(2) });
    for (const key of [WRONG, WRONG, WRONG]) await ask(LIST, { key });
    virtualTime();
    const waiting = Array.from({ length: 20 }, () => ask(LIST, { key: WRONG }));
    const pausesSince = pauses();
    const forged = `${right.key.slice(0, -1)}${right.key.endsWith("0") ? "1" : "0"}`;
    expect((await ask(LIST, { key: forged })).status).toBe(429);
    expect((await ask(LIST, { key: right.key.toUpperCase() })).status).toBe(200);
    expect((await ask(LIST, { key: revoked.key })).text).toContain("INVALID_API_KEY");
    expect(pausesSince()).toBe(0);
    expect((await ask(LIST, { key: revoked.key })).status).toBe(429);
    await Promise.all(waiting);
  });

  it("of IPv6 is counted with its networks: a /48 has four times the limit of a /64", async () => {
    const ask = serviceWith({ REFUSED_KEYS: upTo(2) });
    const refused = (address: string) => ask(LIST, { key: WRONG, address });
    const isSlow = async (address: string) => {
      virtualTime();
      const pausesSince = pauses();
      await ask(LIST, { key: keys.globex, address });
      const waited = pausesSince();
      realTime();
      return waited > 0;
    };
    for (let network = 1; network <= 9; network += 1) await refused(`2001:db8:7:${network}00::1`);
    expect(await isSlow("2001:db8:7:ffff::1")).toBe(true);
    expect(await isSlow("2001:db8:8::1")).toBe(false);
  });
});

/** One object for all keys, whose calls of the processor are made when `mayCall` says so. */
function objectsWith(mayCall: (partnerId: string, environment: string) => Promise<boolean>): KeyActors {
  const runner = new KeyRunner({ ...cellDeps(), mayCallFor: mayCall });
  return () => ({
    async handle(request) {
      const work = workflows.get(request.operation) ?? expect.fail("no workflow");
      return { ...(await runner.handle(work, request)), cost: NO_COST };
    },
    compensate: () => Promise.resolve(false),
  });
}

describe("the processor's own limit", () => {
  it("is shared: once the account's is used up, a partner over its share waits, and others do not", async () => {
    const one = { account: counterOf(upTo(4), 1), partner: counterOf(upTo(2), 1) };
    const shares = { live: one, test: { account: counterOf(upTo(1), 1), partner: counterOf(upTo(1), 1) } };
    const may = (partnerId: string) => mayCallFor(shares, partnerId, "live");
    // Two of its share, and two more while the account has room.
    expect([await may("acme"), await may("acme"), await may("acme"), await may("acme")]).toEqual([true, true, true, true]);
    expect([await may("acme"), await may("globex"), await may("globex")]).toEqual([false, true, true]);
    expect(await may("globex")).toBe(false);
    // The processor counts its test environment apart.
    expect([await mayCallFor(shares, "globex", "test"), await mayCallFor(shares, "globex", "test")]).toEqual([true, false]);
  });

  it("is waited for, within the operation's time; what an earlier run may have sent stays unknown", async () => {
    const turns: number[] = [];
    const waits = new CallBudget(cellDeps().clock, 20_000, () => Promise.resolve(turns.push(1) > 3));
    virtualTime();
    expect(await callProcessor(waits, () => Promise.resolve("answer"))).toBe("answer");
    expect(turns).toHaveLength(4);
    const sent: number[] = [];
    const never = new CallBudget(cellDeps().clock, 2_000, () => Promise.resolve(false));
    const call = callProcessor(never, () => Promise.resolve(sent.push(1)));
    await expect(call).rejects.toMatchObject({ error: { kind: "upstream_timeout" }, sideEffects: "unknown" });
    expect(sent).toEqual([]);
  });

  it("that never comes leaves an attempt as it was: an earlier run may have made the link", async () => {
    const own = cellDeps();
    const keyActors = objectsWith(() => Promise.resolve(false));
    const request = link();
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind: "timeout", ms: 60_000 });
    expect((await callV1(LINK, request)).body).toMatchObject({ error_code: "stripe_error" });
    await control("/faults", undefined, "DELETE");
    const before = await rowOf(idempotencyRecords, { key: `key:${request.idempotency_key}` });
    expect(before).toMatchObject({ state: "failed", resumable: 1, compensate_at: expect.any(Number) });
    const ask = serviceWith({}, { ofPartner: (home) => ({ ...own.ofPartner(home), keyActors }) });
    expect((await ask(`webhook/${LINK}`, { body: { ...request, api_key: keys.acme } })).text).toContain("stripe_error");
    const after = await rowOf(idempotencyRecords, { key: `key:${request.idempotency_key}` });
    expect(after).toMatchObject({ state: "failed", resumable: 1, attempt: before?.attempt, compensate_at: expect.any(Number) });
    expect(after?.plan).not.toBe("");
  });

  it("is counted for each call of an operation", async () => {
    const asked: string[] = [];
    const own = cellDeps();
    const keyActors = objectsWith((...whose) => Promise.resolve(asked.push(whose.join(" ")) > 0));
    const ask = serviceWith({}, { ofPartner: (home) => ({ ...own.ofPartner(home), keyActors }) });
    expect((await ask(CART, { body: cart() })).text).toContain('"success":true');
    expect(asked).toEqual(["acme test", "acme test"]);
  });
});

describe("an address is counted", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:0:1:aaaa:bbbb:cccc:dddd", "2001:db8:0:1::/64", "2001:db8:0:00::/56", "2001:db8:0::/48"],
    ["2001:DB8:0:12ff::1", "2001:db8:0:12ff::/64", "2001:db8:0:12::/56", "2001:db8:0::/48"],
    ["2001:0db8:0000:0001::", "2001:db8:0:1::/64", "2001:db8:0:00::/56", "2001:db8:0::/48"],
    ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0:00::/56", "2001:db8:0::/48"],
    ["::1", "0:0:0:0::/64", "0:0:0:00::/56", "0:0:0::/48"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["unknown", "unknown"],
  ])("%s as %s", (address, ...counted) => expect(countedNetworks(address)).toEqual(counted));
});

describe("a counter", () => {
  it("that fails holds up nobody", async () => {
    const out = { limit: () => Promise.reject(new Error("out")) };
    expect(await countIn(counterOf(out, 1), "x")).toBe(true);
    expect((await serviceWith({ READS: out, CREATIONS: out })(LIST)).status).toBe(200);
  });

  it("is the platform's, and as often as high in local development", async () => {
    const binding = upTo(2);
    const counter = counterOf(binding, 3);
    const passed = [];
    for (let asked = 1; asked <= 7; asked += 1) passed.push(await countIn(counter, "x"));
    expect(passed).toEqual([true, true, true, true, true, true, false]);
  });

  it.each([
    "CREATIONS",
    "READS",
    "REFUSED_KEYS",
    "OPERATOR_LOGINS",
    "PROCESSOR_ACCOUNT",
    "PROCESSOR_SHARE",
    "PROCESSOR_TEST_ACCOUNT",
    "PROCESSOR_TEST_SHARE",
  ] as const)("%s is bound", async (name) => {
    expect(await env[name]?.limit({ key: "one" })).toEqual({ success: true });
  });
});
