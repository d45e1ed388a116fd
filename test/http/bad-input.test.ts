import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { creations } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import { BANK, CART, CODE, call, cart, keys, LINK, LIST, REGISTER, send } from "../support/api.ts";
import { isFull } from "../support/scale.ts";

const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Partner-Api-Key": keys.acme, ...headers },
    body,
  });

async function rows(): Promise<unknown> {
  const tables = ["idempotency_records", "payment_links", "endpoints", "events", "bank_payments"];
  const counts = tables.map((table) => env.CELL_1.prepare(`SELECT count(*) AS count FROM ${table}`).first());
  return Promise.all(counts);
}

const everything = [
  ...operations.map(({ path }) => [path, 200, { error_code: "INVALID_INPUT", error_message: expect.stringMatching(/.{10}/) }] as const),
  ...creations.map(({ path }) => [path, 200, { error_code: "invalid_input", error_message: expect.stringMatching(/.{10}/) }] as const),
  ["/webhook/get-processor-objects", 400, { error: expect.stringMatching(/.{10}/) }] as const,
];

const bodyless = new Set(operations.filter((operation) => operation.bodyless).map(({ path }) => path));

// interface G.4
describe.each(everything)("%s", (path, status, wanted) => {
  it("answers an empty body as bad input, unless the operation asks nothing", async () => {
    const { body } = await post(path, "");
    if (bodyless.has(path)) expect(body).toMatchObject({ success: true });
    else expect(body).toEqual({ success: false, ...wanted });
  });

  it.each<[string, string | Uint8Array, Record<string, string>]>([
    ["no JSON", "{items: []", {}],
    ["a list", "[]", {}],
    ["a number", "7", {}],
    ["null", "null", {}],
    ["half a string", '{"items": "', {}],
    ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00]), {}],
    ["a byte that is no UTF-8 inside a text", new Uint8Array([...new TextEncoder().encode('{"x":"'), 0xff, 0x22, 0x7d]), {}],
    ["a form", "items=1", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["JSON that calls itself text", "{}", { "Content-Type": "text/plain" }],
    ["64 KiB and one byte", JSON.stringify({ filler: "x".repeat(64 * 1024 - 12) }), {}],
    ["deep nesting", `{"a":${"[".repeat(17)}${"]".repeat(17)}}`, {}],
    ["very deep nesting", `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, {}],
    // interface E.6, E.7
  ])("answers %s as bad input and stores nothing", async (_what, body, headers) => {
    const before = await rows();
    const answer = await post(path, body, headers);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ success: false, ...wanted });
    expect(await rows()).toEqual(before);
  });

  it("reads the body before it looks at the key", async () => {
    const answer = await send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{" });
    expect([answer.status, answer.body]).toEqual([status, { success: false, ...wanted }]);
  });

  // interface G.3, G.5
  it.each(["GET", "PUT", "DELETE", "PATCH"])("answers %s with 405 and says what it takes", async (method) => {
    const answer = await send(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("Allow")).toBe("POST");
    expect(answer.body).toMatchObject({ success: false });
  });
});

it("takes a body of exactly 64 KiB", async () => {
  const text = JSON.stringify(cart());
  const body = text.padEnd(64 * 1024);
  expect(body).toHaveLength(64 * 1024);
  expect((await post(`/${CART}`, body)).body).toMatchObject({ success: true });
});

it("takes JSON under any of its names, with a character set", async () => {
  for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON", "application/problem+json"]) {
    const { body } = await post(`/${LIST}`, '{"environment":"test"}', { "Content-Type": type });
    expect(body).toMatchObject({ success: true, environment_filter: "test" });
  }
});

it("never fails on our side, whatever JSON comes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        `/${CART}`,
        `/${BANK}`,
        `/${LIST}`,
        `/${REGISTER}`,
        `/webhook/${LINK}`,
        `/webhook/${CODE}`,
        "/webhook/get-processor-objects",
      ),
      fc.dictionary(fc.constantFrom(...fieldNames), fc.jsonValue()),
      async (path, body) => {
        const answer = await post(path, JSON.stringify({ api_key: keys.acme, auth_mode: "api_key", ...body }));
        expect(answer.status).toBeLessThan(500);
        expect(String(answer.body.error_code ?? "none").toUpperCase()).not.toBe("INTERNAL_ERROR");
      },
    ),
    { numRuns: isFull ? 300 : 100 },
  );
});

const fieldNames = [
  "items",
  "currency",
  "payment_method_types",
  "success_url",
  "client_token",
  "created_gte",
  "created_lte",
  "environment",
  "limit",
  "client_reference_id",
  "live_url",
  "test_url",
  "stripe_product_id",
  "price",
  "payment_link",
  "idempotency_key",
  "stripe_product_ids",
  "code",
  "percent_off",
  "duration",
  "expires_at",
  "created",
  "customer_email",
  "customer_phone",
  "external_order_id",
  "fail_url",
  "description",
  "created.gte",
  "created.lte",
  "__proto__",
  "constructor",
];

it.each(["gzip", "br", " GZIP"])("says of a body that is compressed (%s) that it is, also to agents", async (encoding) => {
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/json", "Content-Encoding": encoding, "X-Partner-Api-Key": keys.acme },
    body: "{}",
  };
  expect((await send(`/${LIST}`, init)).body).toMatchObject({
    error_code: "INVALID_INPUT",
    error_message: expect.stringContaining("is compressed"),
  });
  const { status, body } = await send("/mcp", init);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining("is compressed")]);
});

it("says of a blank in an address that it is one", async () => {
  const { body } = await call(CART, { ...cart(), success_url: "https://shop.example/a b" });
  expect(body).toMatchObject({ error_code: "INVALID_INPUT", error_message: expect.stringContaining("without blanks") });
});
