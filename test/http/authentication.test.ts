import { describe, expect, it } from "vitest";
import { apiKeys } from "../../src/db/schema/index.ts";
import { creations } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import { permissions } from "../../src/partners/permissions.ts";
import { call, callV1, keyFor, keys, LINK, LIST, LIVE_LINKS, link, PAYMENT, send } from "../support/api.ts";
import { updateRows } from "../support/tables.ts";

const UNKNOWN = "d0000000-0000-4000-8000-00000000dead";
const queries = new Set(operations.filter(({ key }) => key === "header_or_body").map(({ name }) => name));

// interface G.4, K.1, K.5, K.6
describe.each(operations)("$name", ({ name, permission }) => {
  // interface E.6, E.7
  it("names a missing key", async () => {
    const wanted = queries.has(name) ? "INVALID_API_KEY" : "AUTH_REQUIRED";
    expect((await call(name, {}, null)).body).toMatchObject({ success: false, error_code: wanted });
    expect((await call(name, {}, "")).body).toMatchObject({ success: false, error_code: wanted });
  });

  it.each([
    ["unknown", UNKNOWN],
    ["no UUID", "secret"],
    ["a UUID and more", `${keys.acme}0`],
    ["injected", `${keys.acme}' OR '1'='1`],
    ["revoked", keys.revoked],
    ["of a disabled employee", keys.formerEmployee],
    ["of a disabled partner", keys.disabledPartner],
    // interface E.6, E.7
  ])("refuses a key that is %s, and tells nothing more", async (_what, key) => {
    const { status, body } = await call(name, {}, key);
    expect(status).toBe(200);
    expect(body).toEqual({ success: false, error_code: "INVALID_API_KEY", error_message: expect.any(String) });
    expect(body.error_message).not.toContain(key);
  });

  it(`takes a key with ${permission} and no other`, async () => {
    for (const other of permissions) {
      const { body } = await call(name, {}, keyFor(other));
      if (other === permission) expect(body.error_code ?? "").not.toBe("PERMISSION_DENIED");
      else
        expect(body).toMatchObject({ success: false, error_code: "PERMISSION_DENIED", error_message: expect.stringContaining(permission) });
    }
    expect((await call(name, {}, keys.powerless)).body).toMatchObject({ error_code: "PERMISSION_DENIED" });
  });

  // interface E.6, E.7
  it("looks at the permission before it looks at the rest of the body", async () => {
    expect((await call(name, { items: "nonsense", limit: "nonsense" }, keys.powerless)).body).toMatchObject({
      error_code: "PERMISSION_DENIED",
    });
  });

  it("knows the key in capitals too", async () => {
    expect((await call(name, {}, keys.acme.toUpperCase())).body.error_code ?? "").not.toBe("INVALID_API_KEY");
  });
});

// interface G.4, K.5, K.6
describe.each(creations)("$name", ({ name, permission }) => {
  it.each([
    ["missing", null],
    ["empty", ""],
    ["a number", 7 as unknown as string],
    ["unknown", UNKNOWN],
    ["no UUID", "secret"],
    ["a UUID and more", `${keys.acme}0`],
    ["injected", `${keys.acme}' OR '1'='1`],
    ["revoked", keys.revoked],
    ["of a disabled employee", keys.formerEmployee],
    ["of a disabled partner", keys.disabledPartner],
    // interface E.2, E.3
  ])("answers unauthorized to a key that is %s, and tells nothing more", async (_what, key) => {
    const { status, body } = await callV1(name, {}, key);
    expect(status).toBe(200);
    expect(body).toEqual({ success: false, error_code: "unauthorized", error_message: expect.any(String) });
  });

  it(`takes a key with ${permission} and no other`, async () => {
    for (const other of permissions) {
      const { body } = await callV1(name, {}, keyFor(other));
      expect(body.error_code).toBe(other === permission ? "invalid_input" : "forbidden");
    }
    expect((await callV1(name, { price: "nonsense" }, keys.powerless)).body).toMatchObject({
      error_code: "forbidden",
      error_message: expect.stringContaining(permission),
    });
  });
});

// interface K.2
describe("the first generation's link", () => {
  const post = (header: string, body: object) =>
    send(`/webhook/${LINK}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Partner-Api-Key": header },
      body: JSON.stringify(body),
    });

  it("wants its key in the body, also where the header holds one", async () => {
    expect((await post(keys.acme, link())).body).toMatchObject({ error_code: "unauthorized" });
  });

  it("reads no key from a header, whatever a gateway puts there", async () => {
    expect((await post(keys.revoked, link({ api_key: keys.acme }))).body).toMatchObject({ success: true });
    expect((await post(keys.acme, link({ api_key: keys.revoked }))).body).toMatchObject({ error_code: "unauthorized" });
  });
});

// interface K.3
describe("a key in the body", () => {
  it("serves for a query", async () => {
    expect((await call(LIST, { api_key: keys.acme }, null)).body).toMatchObject({ success: true });
    expect((await call(LIST, { api_key: 7 }, null)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
    expect((await call(LIST, { api_key: UNKNOWN }, null)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
  });

  it.each([
    [LIST, {}],
    [PAYMENT, { payment_intent_id: "pi_none" }],
    [LIVE_LINKS, {}],
  ])("gives way to the header: %s", async (operation, body) => {
    expect((await call(operation, { ...body, api_key: keys.acme }, UNKNOWN)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
    expect((await call(operation, { ...body, api_key: UNKNOWN }, keys.acme)).body.error_code ?? "").not.toBe("INVALID_API_KEY");
  });

  // interface K.4
  it("does not serve for a creation", async () => {
    const created = operations.filter(({ name }) => !queries.has(name));
    for (const { name } of created)
      expect((await call(name, { api_key: keys.acme }, null)).body).toMatchObject({ error_code: "AUTH_REQUIRED" });
  });
});

// interface K.8
it("stops a key at the request after its revocation", async () => {
  const key = keyFor("balance_view");
  expect((await call(LIST, {}, key)).body).toMatchObject({ success: true });
  const { hashApiKey } = await import("../../src/partners/api-key.ts");
  await updateRows(apiKeys, { revoked_at: 1 }, { key_hash: await hashApiKey(key) });
  expect((await call(LIST, {}, key)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
});

it("gives every answer a request id", async () => {
  for (const path of ["/health", `/${LIST}`, "/nowhere", "/01acmeLiveUsd1First"]) {
    expect((await send(path)).headers.get("X-Request-Id")).toMatch(/^[0-9a-f]{16}$/);
  }
});
