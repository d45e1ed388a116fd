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

it("other unknown fields are ignored, also within fields that are not looked into", async () => {
  const body = { ...cart(), note: "x", metadata: { clientToken: "t" }, token: "t", items: [{ ...item, colour: "green" }] };
  expect((await call(CART, body)).body).toMatchObject({ success: true });
  expect((await call(LIST, { cursor: "x", page: 2 })).body).toMatchObject({ success: true });
});

describe("an amount in major units is answered by what it is in minor ones", () => {
  it.each([
    [19.5, "19.50 is 1950"],
    ["19.00", "19.00 is 1900"],
    [0.1 + 0.2, "0.30 is 30"],
  ])("%s", async (unit_amount, says) => {
    const { body } = await call(CART, { ...cart(), items: [{ ...item, unit_amount }] });
    expect(body.error_message).toBe(`items[0].unit_amount: must be an integer of minor units: ${says} where there are two decimals`);
  });

  it.each([
    ["1900", "1900 is 19.00"],
    ["19", "19 is 0.19"],
    ["123456789", "123456789 is 1234567.89"],
  ])("%s in quotes is taken for minor units", async (unit_amount, says) => {
    const { body } = await call(CART, { ...cart(), items: [{ ...item, unit_amount }] });
    expect(body.error_message).toBe(
      `items[0].unit_amount: must be an integer of minor units without quotes: ${says} where there are two decimals`,
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

describe("an operation at another path", () => {
  it.each([
    [`/v2/${CART}`, `POST /${CART}`],
    [`/webhook/${CART}`, `POST /${CART}`],
    [`/${LINK}`, `POST /webhook/${LINK}`],
    [`/api/v1/${LINK}/`, `POST /webhook/${LINK}`],
    ["/get-processor-objects", "POST /webhook/get-processor-objects"],
  ])("%s is answered by where it is", async (path, where) => {
    const { status, body } = await send(path, { method: "POST", body: "{}" });
    expect([status, body.error]).toEqual([404, `There is nothing at this address. This operation is at ${where}.`]);
  });
});
