import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import { readRelayed, relayFor, toRelay } from "../../src/webhooks/delivery/relay.ts";
import { call, REGISTER } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { attemptsOf, clearTheWay, deliveryOf, endpointOf, recordPayment } from "../support/deliveries.ts";
import { realTime } from "../support/later.ts";
import { SANDBOX } from "../support/stack.ts";

/** Deliveries by an egress relay: what it says of the receiver counts, and a failure of its own does not. */

const KEY = "k".repeat(32);
const relay = { url: "https://relay.example/send", key: KEY, hosts: ["shop.example.com", new URL(SANDBOX).hostname] };
const base = cellDeps();
const deps = { ...base, settings: { ...base.settings, deliveryRelay: relay } };

beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/relayed` }));
beforeEach(clearTheWay);
afterEach(() => {
  vi.restoreAllMocks();
  realTime();
});

/** The relay answers so. Returns what it was asked. */
function answering(answer: () => Response | Promise<Response>) {
  const asked: Request[] = [];
  const direct = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (request.url !== relay.url) return direct(request);
    asked.push(request);
    return answer();
  });
  return asked;
}

async function attempt() {
  const id = await recordPayment();
  await attemptDelivery(deps, id);
  const [made] = await attemptsOf(id);
  return { id, attempt: made, delivery: await deliveryOf(id) };
}

describe("a receiver behind a relay", () => {
  it("gets the signed body by the relay, which is given the address and its key, and its answer is on record", async () => {
    const asked = answering(() => new Response("thanks", { headers: { "Relay-Status": "202" } }));
    const { attempt: made, delivery } = await attempt();
    expect(made).toMatchObject({ status: 202, error_class: null, excerpt: "thanks" });
    expect(delivery).toMatchObject({ state: "succeeded" });
    const [request] = asked;
    expect([request?.headers.get("Relay-To"), request?.headers.get("Relay-Key")]).toEqual([`${SANDBOX}/inbox/relayed`, KEY]);
    expect(request?.headers.get("Service-Signature")).toMatch(/^v1,/);
    expect(JSON.parse((await request?.text()) ?? "")).toMatchObject({ event: "Processor.payment.succeeded" });
  });

  it.each([
    [
      { "Relay-Status": "503", "Retry-After": "120" },
      { status: 503, error_class: "status" },
    ],
    [{ "Relay-Status": "302" }, { status: 302, error_class: "redirect" }],
    [{ "Relay-Error": "timeout" }, { status: null, error_class: "timeout" }],
    [{ "Relay-Error": "connection" }, { status: null, error_class: "connection" }],
  ])("that answers %j has failed", async (headers, wanted) => {
    answering(() => new Response("", { headers: headers as Record<string, string> }));
    const { attempt: made, delivery } = await attempt();
    expect(made).toMatchObject(wanted);
    expect(delivery).toMatchObject({ state: "pending", unscheduled_attempts: 0 });
    expect(await endpointOf("ep_acme_test")).toMatchObject({ failures: 1 });
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ["answers without saying what the receiver did", () => new Response("<h1>bad gateway</h1>", { status: 502 })],
    ["does not know the key", () => new Response("", { status: 401 })],
    ["says a status that is none", () => new Response("", { headers: { "Relay-Status": "99" } })],
    ["cannot be reached", () => Promise.reject(new TypeError("no route"))],
  ])("has not failed if the relay %s: the attempt does not count, and is made again", async (_, answer) => {
    answering(answer);
    const { attempt: made, delivery } = await attempt();
    expect(made).toMatchObject({ status: null, error_class: "relay" });
    expect(delivery).toMatchObject({ state: "pending", unscheduled_attempts: 1 });
    expect(await endpointOf("ep_acme_test")).toMatchObject({ failures: 0, failing_since: null });
  });

  it("is one of the named hosts, whatever the port or a point at its end; another is sent to directly", () => {
    const by = (url: string, deliveryRelay: typeof relay | null = relay) => relayFor({ deliveryRelay }, url)?.url ?? null;
    expect(by("https://shop.example.com/hook")).toBe(relay.url);
    expect(by("https://shop.example.com.:8443/hook")).toBe(relay.url);
    expect(by("https://www.shop.example.com/hook")).toBeNull();
    expect(by("https://shop.example.com/hook", null)).toBeNull();
  });
});

it("a request to the relay keeps the headers and the body", () => {
  expect(toRelay(relay, { url: "https://a.example/x", headers: { A: "1" }, body: "b" })).toEqual({
    url: relay.url,
    headers: { A: "1", "Relay-To": "https://a.example/x", "Relay-Key": KEY },
    body: "b",
  });
});

it("an address with letters of any alphabet reaches the relay as a header may have it", () => {
  expect(toRelay(relay, { url: "https://shop.example.com/вебхук", headers: {}, body: "" }).headers["Relay-To"]).toMatch(
    /^https:\/\/shop\.example\.com\/%D0/,
  );
});

it.each([
  [{ "Relay-Status": "200" }, { kind: "answered", status: 200 }],
  [{ "Relay-Status": "599" }, { kind: "answered", status: 599 }],
  [{ "Relay-Status": "600" }, { kind: "relay_failed" }],
  [{ "Relay-Status": "2000" }, { kind: "relay_failed" }],
  [{ "Relay-Error": "timeout" }, { kind: "failed", errorClass: "timeout" }],
  [{ "Relay-Error": "other" }, { kind: "relay_failed" }],
  [{}, { kind: "relay_failed" }],
])("the relay's headers %j say %j", (headers, wanted) => {
  expect(readRelayed(new Headers(headers as Record<string, string>))).toEqual(wanted);
});
