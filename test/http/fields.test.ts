import { describe, expect, it } from "vitest";
import { idempotencyRecords } from "../../src/db/schema/index.ts";
import {
  BANK,
  bankCart,
  CART,
  CODE,
  call,
  callV1,
  cart,
  keys,
  LINK,
  LIST,
  link,
  PAYMENT,
  promotion,
  REGISTER,
  ROTATE,
  send,
} from "../support/api.ts";
import { countOf } from "../support/tables.ts";

const item = { stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 };
const { client_token: _, ...untokened } = cart();

// interface E.1, G.1, G.2, G.7
describe("a field that is a known one misspelt is refused, and the right one is named", () => {
  it.each<[string, object, string, string]>([
    [CART, { ...untokened, clientToken: "t" }, "clientToken", "client_token"],
    [CART, { ...untokened, "client-token": "t" }, "client-token", "client_token"],
    [CART, { ...untokened, CLIENT_TOKEN: "t" }, "CLIENT_TOKEN", "client_token"],
    [CART, { ...untokened, idempotency_key: "t" }, "idempotency_key", "client_token"],
    [CART, { ...untokened, idempotencyKey: "t" }, "idempotencyKey", "client_token"],
    [CART, { ...cart(), clientToken: "t" }, "clientToken", "client_token"],
    [CART, { ...cart(), items: [{ ...item, unitAmount: 1 }] }, "items[0].unitAmount", "unit_amount"],
    [
      CART,
      { ...cart(), items: [item, { stripeProductId: "prod_x", unit_amount: 1, quantity: 1 }] },
      "items[1].stripeProductId",
      "stripe_product_id",
    ],
    [CART, { ...cart(), Items: [] }, "Items", "items"],
    [BANK, { ...bankCart(), customerEmail: "a@b.example" }, "customerEmail", "customer_email"],
    [LIST, { clientReferenceId: "x" }, "clientReferenceId", "client_reference_id"],
    [LIST, { createdGte: "2026-01-01" }, "createdGte", "created_gte"],
    [PAYMENT, { paymentIntentId: "pi_1" }, "paymentIntentId", "payment_intent_id"],
    [REGISTER, { testUrl: "https://shop.example" }, "testUrl", "test_url"],
    [ROTATE, { environment: "test", clientToken: "t" }, "clientToken", "client_token"],
  ])("%s %o", async (operation, body, field, right) => {
    const before = await countOf(idempotencyRecords);
    expect((await call(operation, body)).body).toEqual({
      success: false,
      error_code: "INVALID_INPUT",
      error_message: `${field}: is not a field here; write ${right}`,
      details: { field },
    });
    expect(await countOf(idempotencyRecords)).toBe(before);
  });

  it.each<[string, object, string, string]>([
    [LINK, link({ client_token: "t" }), "client_token", "idempotency_key"],
    [LINK, link({ clientToken: "t" }), "clientToken", "idempotency_key"],
    [LINK, link({ idempotencyKey: "t" }), "idempotencyKey", "idempotency_key"],
    [LINK, link({ price: { unitAmount: 100 } }), "price.unitAmount", "unit_amount"],
    [CODE, promotion({ percentOff: 10 }), "percentOff", "percent_off"],
  ])("%s %o", async (operation, body, field, right) => {
    expect((await callV1(operation, body)).body).toEqual({
      success: false,
      error_code: "invalid_input",
      error_message: `${field}: is not a field here; write ${right}`,
    });
  });

  it("after the key and the permission", async () => {
    expect((await call(CART, { clientToken: "t" }, keys.powerless)).body).toMatchObject({ error_code: "PERMISSION_DENIED" });
  });
});

// interface G.7, 5.4
describe("an unknown field of the second generation is refused", () => {
  it.each<[string, object, string, string]>([
    [CART, { ...cart(), note: "x" }, "note", "is not a field here"],
    [CART, { ...cart(), metadata: { clientToken: "t" } }, "metadata", "is not a field here"],
    [CART, { ...cart(), items: [{ ...item, colour: "green" }] }, "items[0].colour", "is not a field here"],
    [CART, { ...cart(), client_reference_id: "o-1" }, "client_reference_id", "is not a field here; add it to the short link"],
    [CART, { ...cart(), environment: "test" }, "environment", "is not a field here; the products decide"],
    [CART, { ...untokened, token: "t" }, "token", "is not a field here; write client_token"],
    [
      CART,
      { items: [{ product_id: item.stripe_product_id, unit_amount: 1, quantity: 1 }] },
      "items[0].product_id",
      "write stripe_product_id",
    ],
    [CART, { items: [{ stripe_product_id: item.stripe_product_id, amount: 1, quantity: 1 }] }, "items[0].amount", "write unit_amount"],
    [LIST, { page: 2 }, "page", "is not a field here; there are no pages: GET /partner/payments lists the same in pages"],
    [LIST, { starting_after: "txn_1" }, "starting_after", "continue with created_lte"],
    [LIST, { status: "completed" }, "status", "is not a field here"],
    [PAYMENT, { payment_intent_id: "pi_1", environment: "test" }, "environment", "is not a field here"],
    [BANK, { ...bankCart(), Description: "x" }, "Description", "the receipt always has the catalogue's names"],
    [REGISTER, { url: "https://shop.example" }, "url", "write live_url"],
  ])("%s %o", async (operation, body, field, says) => {
    const { error_message, ...rest } = (await call(operation, body)).body;
    expect(rest).toEqual({ success: false, error_code: "INVALID_INPUT", details: { field } });
    expect(error_message).toContain(says);
    expect(error_message.startsWith(`${field}: `)).toBe(true);
  });

  it("is shown up to a hundred characters, and one that languages give a meaning is refused, too", async () => {
    const name = "x".repeat(5_000);
    const { body } = await call(CART, { ...cart(), [name]: 1 });
    const shown = `${name.slice(0, 100)}…`;
    expect(body).toMatchObject({ details: { field: shown }, error_message: `${shown}: is not a field here` });
    expect((await call(CART, { ...cart(), [name.slice(0, 100)]: 1 })).body).toMatchObject({ details: { field: name.slice(0, 100) } });
    const sent = JSON.stringify(cart()).replace("{", '{"__proto__":{"x":1},');
    const headers = { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" };
    expect((await send(`/${CART}`, { method: "POST", headers, body: sent })).body).toMatchObject({ details: { field: "__proto__" } });
  });

  // interface G.7
  it("but for what the interface accepts and ignores", async () => {
    expect((await call(LIST, { idempotency_key: "k", api_key: keys.acme })).body).toMatchObject({ success: true });
    expect((await call(CART, { ...cart(), api_key: keys.acme })).body).toMatchObject({ success: true });
  });

  it("where a list is no list, the list is what is wrong", async () => {
    expect((await call(CART, { items: { colour: "green" } })).body).toMatchObject({ details: { field: "items" } });
    expect((await call(CART, { ...cart(), items: [[item]] })).body).toMatchObject({ details: { field: "items[0]" } });
  });
});

// interface G.7
describe("an unknown field of the first generation is ignored", () => {
  it("also where another service calls a field so that was sent", async () => {
    expect((await callV1(LINK, link({ note: "x", amount: 1, price: { unit_amount: 100, amount: 1 } }))).body).toMatchObject({
      success: true,
    });
  });

  it("but explains a required field that is missing", async () => {
    const { body } = await callV1(LINK, link({ price: { amount: 100 } }));
    expect(body).toMatchObject({ error_code: "invalid_input", error_message: "price.amount: is not a field here; write unit_amount" });
  });
});

describe("null for an optional field is as left out (interface G.11)", () => {
  it.each<[string, object]>([
    [LIST, { created_gte: null, created_lte: null, environment: null, limit: null, client_reference_id: null }],
    [CART, { ...cart(), currency: null, payment_method_types: null, success_url: null, allow_promotion_codes: null }],
    [
      BANK,
      {
        ...bankCart(),
        customer_phone: null,
        external_order_id: null,
        description: null,
        items: [{ product_id: 1001, quantity: 1, unit_amount: null }],
      },
    ],
    [REGISTER, { live_url: null, test_url: "https://shop.example/hook", client_token: null }],
  ])("%s", async (operation, body) => {
    expect((await call(operation, body)).body).toMatchObject({ success: true });
  });

  it("also in the first generation", async () => {
    const body = link({ payment_link: null, price: { unit_amount: 100, currency: null, interval_count: null, trial_days: null } });
    expect((await callV1(LINK, body)).body).toMatchObject({ success: true, currency_source: "inherited" });
    expect((await callV1(CODE, promotion({ duration: null, max_redemptions: null, expires_at: null }))).body).toMatchObject({
      success: true,
    });
  });

  it("is the same request as leaving it out", async () => {
    const body = cart();
    const first = (await call(CART, body)).body;
    expect((await call(CART, { ...body, currency: null })).body).toEqual({ ...first, duplicate: true });
  });
});

const sentWith = (path: string, body: object, headers: Record<string, string>) =>
  send(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Partner-Api-Key": keys.acme, ...headers },
    body: JSON.stringify(body),
  });

describe("the header Idempotency-Key (interface G.12)", () => {
  const sent = (path: string, body: object, key: string) => sentWith(path, body, { "Idempotency-Key": key });

  it("is taken as client_token, and as idempotency_key", async () => {
    const [cartBody, linkBody] = [untokened, { ...link(), idempotency_key: undefined, api_key: keys.acme }];
    const { idempotency_key: _key, ...code } = promotion() as { idempotency_key: string };
    for (const [path, body, mark] of [
      [`/${CART}`, cartBody, "duplicate"],
      [`/webhook/${LINK}`, linkBody, "is_replay"],
      [`/webhook/${CODE}`, code, "is_replay"],
    ] as const) {
      const key = crypto.randomUUID();
      const first = (await sent(path, body, key)).body;
      expect(first).toMatchObject({ success: true, [mark]: false });
      expect((await sent(path, body, key)).body).toEqual({ ...first, [mark]: true });
    }
  });

  it("is fine beside the same key in the body, and refused beside another one", async () => {
    const body = cart();
    expect((await sent(`/${CART}`, body, body.client_token)).body).toMatchObject({ success: true });
    expect((await sent(`/${CART}`, cart(), "another")).body).toMatchObject({
      error_code: "INVALID_INPUT",
      error_message: "client_token: differs from the header Idempotency-Key; send one of them, or the same in both",
    });
  });

  it("has the bounds of the field, and is ignored elsewhere", async () => {
    expect((await sent(`/${CART}`, untokened, "x".repeat(256))).body).toMatchObject({
      error_code: "INVALID_INPUT",
      details: { field: "client_token" },
    });
    expect((await sent(`/${LIST}`, {}, "x")).body).toMatchObject({ success: true });
  });
});

describe("a header that holds one value and arrives twice (interface G.14)", () => {
  const twice = (path: string, body: object, ...values: readonly string[]) =>
    sentWith(path, body, { "Idempotency-Key": values.join(", ") });

  it("is one value if both are equal: a repeat with one line makes no second payment", async () => {
    for (const [path, body] of [
      [`/${CART}`, untokened],
      [`/${BANK}`, { ...bankCart(), client_token: undefined }],
    ] as const) {
      const key = crypto.randomUUID();
      const first = (await twice(path, body, key, key)).body;
      expect(first).toMatchObject({ success: true, duplicate: false });
      expect((await twice(path, body, key)).body).toEqual({ ...first, duplicate: true });
    }
  });

  it("may have a comma of its own beside the same key in the body, and is refused where it is empty and there is no other", async () => {
    const key = "order,7";
    const first = (await sentWith(`/${CART}`, { ...cart(), client_token: key }, { "Idempotency-Key": key })).body;
    expect(first).toMatchObject({ success: true, duplicate: false });
    expect((await sentWith(`/${CART}`, untokened, { "Idempotency-Key": "" })).body).toMatchObject({
      error_code: "INVALID_INPUT",
      error_message: "the header Idempotency-Key is empty; send a value, or leave it out",
    });
    expect((await sentWith(`/${CART}`, cart(), { "Idempotency-Key": " " })).body).toMatchObject({ success: true });
  });

  it("is refused if they differ, also beside a key in the body", async () => {
    for (const body of [untokened, cart()]) {
      expect((await twice(`/${CART}`, body, "one", "two")).body).toMatchObject({
        error_code: "INVALID_INPUT",
        error_message: "the header Idempotency-Key has more than one value; send one value without a comma, or the field client_token",
      });
    }
  });

  // interface K.6
  it("is a valid API key if both are equal, and says of different ones what is wrong", async () => {
    const key = (...values: readonly string[]) => sentWith(`/${LIST}`, {}, { "X-Partner-Api-Key": values.join(", ") });
    expect((await key(keys.acme, keys.acme)).body).toMatchObject({ success: true });
    expect((await key(keys.acme, keys.globex)).body).toMatchObject({
      error_code: "INVALID_API_KEY",
      error_message: "The API key is not valid: send it without the second, different value.",
    });
  });
});

describe("another service's header for the key (interface G.13)", () => {
  it.each(["X-Idempotency-Key", "Idempotence-Key", "Cko-Idempotency-Key", "Idempotency_Key", "idempotency-token"])(
    "%s is refused with the right name, unless the request has a key of its own",
    async (name) => {
      const { body } = await sentWith(`/${CART}`, untokened, { [name]: "order-1" });
      expect(body).toMatchObject({
        error_code: "INVALID_INPUT",
        error_message: `the header ${name.toLowerCase()} is not read; write Idempotency-Key, or send the field client_token`,
      });
      expect((await sentWith(`/${CART}`, cart(), { [name]: "order-1" })).body).toMatchObject({ success: true });
      const both = { [name]: "order-1", "Idempotency-Key": crypto.randomUUID() };
      expect((await sentWith(`/${CART}`, untokened, both)).body).toMatchObject({ success: true });
    },
  );

  it("is ignored where no key is read", async () => {
    expect((await sentWith(`/${LIST}`, {}, { "X-Idempotency-Key": "x" })).body).toMatchObject({ success: true });
  });

  it("is not any header that speaks of idempotency", async () => {
    expect((await sentWith(`/${CART}`, untokened, { "X-Idempotency-Replayed": "1" })).body).toMatchObject({ success: true });
  });
});

// interface G.10
describe("an amount in major units is answered by what it is in minor ones", () => {
  it.each([
    [19.5, "19.50 is 1950"],
    ["19.00", "19.00 is 1900"],
    [0.1 + 0.2, "0.30 is 30"],
  ])("%s", async (unit_amount, says) => {
    const { body } = await call(CART, { ...cart(), items: [{ ...item, unit_amount }] });
    expect(body.error_message).toBe(`items[0].unit_amount: must be an integer of minor units: ${says} in a currency with two decimals`);
  });

  it.each([
    ["1900", "1900 means 19.00"],
    ["19", "19 means 0.19"],
    ["123456789", "123456789 means 1234567.89"],
  ])("%s in quotes is taken for minor units", async (unit_amount, says) => {
    const { body } = await call(CART, { ...cart(), items: [{ ...item, unit_amount }] });
    expect(body.error_message).toBe(
      `items[0].unit_amount: must be an integer of minor units without quotes: ${says} in a currency with two decimals`,
    );
  });

  it.each([["nineteen"], ["1234567890"], [null], [[1900]], ["1e3"], [true]])("%s is no amount at all", async (unit_amount) => {
    const { body } = await call(CART, { ...cart(), items: [{ ...item, unit_amount }] });
    expect(body.error_message).toMatch(/^items\[0\]\.unit_amount: must be a number, not /);
  });
});

describe("a key that was not sent, or in the wrong place", () => {
  const bearer = (path: string) =>
    send(path, { method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${keys.acme}` }, body: "{}" });

  it.each([
    [`/${LIST}`, "INVALID_API_KEY"],
    [`/${CART}`, "AUTH_REQUIRED"],
    [`/webhook/${LINK}`, "unauthorized"],
  ])("%s says where it belongs, and that a bearer is not read", async (path, code) => {
    const { body } = await bearer(path);
    expect(body).toMatchObject({ success: false, error_code: code });
    expect(body.error_message).toMatch(
      /^No API key was sent: Authorization: Bearer is not read\. Send it in the (header X-Partner-Api-Key|field api_key of the body)\.$/,
    );
    const { body: none } = await send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    expect(none.error_message).toMatch(/^No API key was sent\. Send it in the /);
  });

  it("is said by the operations with statuses too", async () => {
    const { status, body } = await bearer("/webhook/get-processor-objects");
    expect([status, body]).toEqual([401, { success: false, error: expect.stringMatching(/^No API key was sent/) }]);
  });
});

// interface G.1, G.2, G.3
describe("an operation at another path", () => {
  it.each([
    [`/v2/${CART}`, `POST /${CART}`],
    [`/webhook/${CART}`, `POST /${CART}`],
    [`/${LINK}`, `POST /webhook/${LINK}`],
    [`/api/v1/${LINK}/`, `POST /webhook/${LINK}`],
    ["/get-processor-objects", "POST /webhook/get-processor-objects"],
  ])("%s is answered by where it is", async (path, where) => {
    const { status, body } = await send(path, { method: "POST", body: "{}" });
    expect([status, body.error]).toEqual([404, `Unknown address. This operation is at ${where}.`]);
  });
});
