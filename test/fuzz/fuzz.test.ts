import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bankTerminals } from "../../sandbox/local-settings.ts";
import { tokenOf } from "../../src/bank/token.ts";
import { hmacSha256Hex } from "../../src/core/digest.ts";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { creations, withStatuses } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import type { Answer } from "../support/answer.ts";
import { keys, send } from "../support/api.ts";
import { bodiesOf, headers, inputsOf } from "./inputs.ts";

/**
 * Inputs by chance on every surface: never a failure of ours, never an answer outside the description (`send` holds each to
 * it), never a hang. `npm run fuzz` tries more, with a seed of choice; what it finds becomes a test of its own.
 */
const seed = Number(env.TEST_SEED);
const perSurface = Math.ceil(Number(env.FUZZ_INPUTS) / 6);
const hold = async (arbitrary: fc.Arbitrary<() => Promise<Answer>>, runs: number) => {
  const property = fc.asyncProperty(arbitrary, async (ask) => notOurs(await ask()));
  await fc.assert(property, { numRuns: Math.ceil(runs), seed });
};

/** The processor and the bank are up here, so nothing that fails is theirs. */
function notOurs({ status, body, text }: Answer): void {
  expect(status, text).toBeLessThan(500);
  const code = typeof body === "object" && body !== null && "error_code" in body ? String(body.error_code) : "";
  expect(code.toUpperCase(), text).not.toBe("INTERNAL_ERROR");
}

/** A request that says of itself what it is, where it is a counterexample. */
function asking(what: object, ask: () => Promise<Answer>): () => Promise<Answer> {
  return Object.assign(ask, { [fc.toStringMethod]: () => JSON.stringify(what) });
}

const post = (path: string, body: Uint8Array<ArrayBuffer> | string, sent: Record<string, string>) => {
  const said = typeof body === "string" ? body : new TextDecoder().decode(body);
  return asking({ path, headers: sent, body: said }, () => send(path, { method: "POST", headers: sent, body }));
};

// interface G.5
describe("the operations", () => {
  const everything = [...operations, ...creations, ...withStatuses];
  it.each(everything.map((operation) => [operation.path, operation] as const))("%s", async (path, { input }) => {
    const requests = fc.tuple(bodiesOf(inputsOf(input)), headers).map(([body, sent]) => post(path, body, sent));
    await hold(requests, (2 * perSurface) / everything.length);
  });
});

it("agents' messages", async () => {
  const tools = operations.map(({ name, input }) =>
    inputsOf(input).map((given) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } })),
  );
  const others = fc.record({
    jsonrpc: fc.constantFrom("2.0", "1.0", 2),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    method: fc.oneof(fc.constantFrom("tools/list", "initialize", "ping", "tools/call", "resources/list"), fc.string()),
    params: fc.oneof(fc.constant({}), fc.jsonValue()),
  });
  const sent = fc.constantFrom("2025-11-25", "2026-07-28", "1999-01-01").map((version) => ({
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "Mcp-Protocol-Version": version,
    "X-Partner-Api-Key": keys.acme,
  }));
  const messages = fc.oneof({ weight: 3, arbitrary: fc.oneof(...tools) }, { weight: 2, arbitrary: others });
  await hold(
    fc.tuple(bodiesOf(messages), sent).map(([body, with_]) => post("/mcp", body, with_)),
    perSurface,
  );
});

it("what the processor sends, rightly signed", async () => {
  const types = ["charge.succeeded", "charge.refunded", "checkout.session.completed", "invoice.paid", "charge.dispute.created", "nonsense"];
  const events = fc.record({
    id: fc.oneof(
      fc.uuid().map((id) => `evt_${id}`),
      fc.string(),
    ),
    object: fc.constant("event"),
    type: fc.oneof(fc.constantFrom(...types), fc.string()),
    created: fc.oneof(fc.integer({ min: 0, max: 2_000_000_000 }), fc.jsonValue()),
    livemode: fc.oneof(fc.boolean(), fc.jsonValue()),
    data: fc.oneof(
      fc.record({ object: fc.record({ id: fc.constantFrom("ch_none", "pi_none", ""), object: fc.string() }) }),
      fc.jsonValue(),
    ),
  });
  const signed = bodiesOf(events).map((body) => {
    const said = new TextDecoder().decode(body);
    return asking({ event: said }, async () => {
      const timestamp = Math.floor(Date.now() / 1_000);
      const message = new Uint8Array([...new TextEncoder().encode(`${timestamp}.`), ...body]);
      const signature = `t=${timestamp},v1=${await hmacSha256Hex("whsec_sandbox_test", message)}`;
      return send("/ingest/processor/test", { method: "POST", headers: { "Stripe-Signature": signature }, body });
    });
  });
  await hold(signed, perSurface / 2);
});

it("what the bank sends, rightly signed", async () => {
  const { terminal_key: TerminalKey, password } = bankTerminals.test.first;
  const fields = fc.record({
    TerminalKey: fc.constant(TerminalKey),
    OrderId: fc.oneof(fc.constantFrom("01", "none"), fc.string()),
    Success: fc.oneof(fc.boolean(), fc.string()),
    Status: fc.oneof(fc.constantFrom("NEW", "CONFIRMED", "REFUNDED", "REJECTED"), fc.string()),
    PaymentId: fc.oneof(fc.nat(), fc.string(), fc.double()),
    ErrorCode: fc.constantFrom("0", "99", 0),
    Amount: fc.oneof(fc.nat(), fc.double(), fc.constant(null)),
    Extra: fc.jsonValue(),
  });
  const notifications = fields.map((message) =>
    asking(message, async () => {
      const body = JSON.stringify({ ...message, Token: await tokenOf(message, password) });
      return send("/ingest/bank", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    }),
  );
  await hold(notifications, perSurface / 2);
});

describe.each([
  ["operators' calls", opsCalls, { Authorization: "Bearer ops-local", "X-Operator": "Maria" }],
  ["partners' calls", partnerCalls, { "X-Partner-Api-Key": keys.acme }],
] as const)("%s", (_audience, calls, credentials) => {
  it.each(calls.map((call) => [call.command, call] as const))("%s", async (_command, call) => {
    const body = call.body === null ? fc.constant(new Uint8Array()) : bodiesOf(inputsOf(call.body));
    const named = fc.oneof(fc.constantFrom("globex", "none", "evt_0", "pi_none", "%2e%2e"), fc.string().map(encodeURIComponent));
    const query = fc.dictionary(
      fc.constantFrom("limit", "cursor", ...Object.keys(call.query)),
      fc.oneof(fc.constantFrom("globex", "0", "50", ""), fc.string()),
    );
    const requests = fc.tuple(body, named, query).map(([bytes, name, asked]) => {
      const path = `${call.path.replaceAll(/\{\w+\}/g, () => name || "-")}?${new URLSearchParams(asked).toString()}`;
      const sent = { ...credentials, "Content-Type": call.file?.types[0] ?? "application/json" };
      const init = { method: call.method, headers: sent, ...(call.method === "GET" ? {} : { body: bytes }) };
      return asking({ path, method: call.method, body: new TextDecoder().decode(bytes) }, () => send(path, init));
    });
    await hold(requests, perSurface / calls.length / 2);
  });
});

it("short links, and any other address", async () => {
  const segment = fc.oneof(
    fc.string({ maxLength: 30 }).map(encodeURIComponent),
    fc.constantFrom("01acmeLiveUsd1First", "docs", "ops", "webhook", "..", "%00", "%ff"),
  );
  const methods = fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");
  const requests = fc.tuple(fc.array(segment, { maxLength: 3 }), fc.string({ maxLength: 60 }), methods).map(([parts, query, method]) => {
    const path = `/${parts.join("/")}?${query.replaceAll("#", "")}`;
    return asking({ method, path }, () => send(path, { method }));
  });
  await hold(requests, perSurface);
});
