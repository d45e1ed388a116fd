import { describe, expect, it } from "vitest";
import { verifyBankNotification } from "../../src/bank/notification.ts";
import { tokenOf } from "../../src/bank/token.ts";
import { PLAIN_RECEIPT } from "../../src/core/receipts.ts";

const terminals = {
  live: { first: { terminalKey: "LIVE", password: "l", taxation: "osn", settlementDays: 1, receipt: PLAIN_RECEIPT } },
  test: { second: { terminalKey: "TEST", password: "t", taxation: "osn", settlementDays: 1, receipt: PLAIN_RECEIPT } },
};
const message = {
  TerminalKey: "TEST",
  OrderId: "order",
  PaymentId: 7,
  Status: "CONFIRMED",
  Success: true,
  Amount: 500,
  Pan: "430000******0777",
  Data: { Email: "a@example.com" },
};

async function verify(fields: object = {}, password = "t") {
  const sent: Record<string, unknown> = { ...message, ...fields };
  return verifyBankNotification(JSON.stringify({ ...sent, Token: (await tokenOf(sent, password)).toUpperCase() }), terminals);
}

describe("a number in the bank's message", () => {
  /** A message as a bank in another language writes and signs it: each value as its text. */
  async function verifyText(numbers: Readonly<Record<string, string>>) {
    const texts = {
      TerminalKey: "TEST",
      OrderId: "order",
      Status: "CONFIRMED",
      Success: "true",
      PaymentId: "7",
      Amount: "500",
      ...numbers,
    };
    const token = await tokenOf(texts, "t");
    const quoted = new Set(["TerminalKey", "OrderId", "Status"]);
    const fields = Object.entries(texts).map(([name, text]) => `"${name}":${quoted.has(name) ? JSON.stringify(text) : text}`);
    return verifyBankNotification(`{${fields.join()},"Token":"${token}"}`, terminals);
  }

  it.each([
    ["above 2^53", { RebillId: "9007199254740993" }, { amount: 500 }],
    ["of twenty digits", { PaymentId: "12345678901234567890" }, { bankPaymentId: "12345678901234567890" }],
    ["with its zeros", { Amount: "500.00" }, { amount: 500 }],
  ])("%s is signed as its text", async (_what, numbers, wanted) => {
    expect(await verifyText(numbers)).toMatchObject(wanted);
  });
});

describe("what comes in as the bank's", () => {
  const nested = (depth: number): object => (depth === 0 ? {} : { inner: nested(depth - 1) });
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`Field${index}`, "x"]));

  it.each<[string, object]>([
    ["a list as an amount", { Amount: [500] }],
    ["a list of one text", { Amount: ["500"] }],
    ["an object as an amount", { Amount: {} }],
    ["a truth as an amount", { Amount: true }],
    ["a part of a kopeck", { Amount: 500.5 }],
    ["digits with a sign", { Amount: "-500" }],
    ["digits in another notation", { Amount: "5e2" }],
    ["too many digits", { Amount: "1".repeat(16) }],
    ["a list as an order", { OrderId: ["order"] }],
    ["an object as a payment", { PaymentId: {} }],
    ["a long order", { OrderId: "x".repeat(256) }],
    ["a long status", { Status: "x".repeat(65) }],
    ["a long terminal", { TerminalKey: "x".repeat(21) }],
    ["containers within containers", { Data: nested(8) }],
    ["too many fields", many(92)],
  ])("lets nothing in that the bank does not send: %s", async (_what, fields) => expect(await verify(fields)).toBeNull());

  it.each<[string, object, object]>([
    ["digits as an amount", { Amount: "500" }, { amount: 500 }],
    ["no amount", { Amount: null }, { amount: null }],
    ["containers, not too deep", { Data: nested(6) }, { amount: 500 }],
    ["many fields", many(91), { amount: 500 }],
  ])("lets in %s", async (_what, fields, wanted) => expect(await verify(fields)).toMatchObject(wanted));

  it("keeps the bank's own words without what names a buyer", async () => {
    const found = await verify({ Message: "Refused for ann@shop.example", Details: "call +7 999 555 01 23" });
    expect(JSON.parse(found?.payload ?? "")).toMatchObject({ Message: "Refused for …", Details: "call …" });
  });

  it("keeps a value that is null, and none that is an object, which no token covers", async () => {
    const found = await verify({ Message: null, Details: { Email: "a@example.com" }, ErrorMessage: ["x"] });
    expect(JSON.parse(found?.payload ?? "")).toEqual({
      TerminalKey: "TEST",
      OrderId: "order",
      PaymentId: 7,
      Status: "CONFIRMED",
      Success: true,
      Amount: 500,
      Message: null,
    });
  });

  it("has a fiscal receipt where it is about one that was registered, and in no other message", async () => {
    const receipt = { Type: "Income", FnNumber: "9999", FiscalDocumentNumber: "1345", FiscalDocumentAttribute: "18" };
    expect((await verify({ ...receipt, Status: "RECEIPT" }))?.receipt).toMatchObject({ kind: "payment", fn: "9999", amount: 500 });
    for (const other of [{ Status: "CONFIRMED" }, { Status: "RECEIPT", Success: false }, { Status: "RECEIPT", FnNumber: null }])
      expect((await verify({ ...receipt, ...other }))?.receipt).toBeNull();
    expect((await verify({ ...receipt, Status: "RECEIPT", Amount: null }))?.receipt?.amount).toBeNull();
  });

  it("computes nothing for a token that is none", async () => {
    expect(await verifyBankNotification(JSON.stringify({ ...message, Token: "no digest" }), terminals)).toBeNull();
  });
});

describe("a notification", () => {
  it("is of the terminal that it names, and keeps nothing of customer and card", async () => {
    const token = await tokenOf(message, "t");
    expect(await verify()).toEqual({
      id: token,
      environment: "test",
      terminal: "second",
      orderId: "order",
      bankPaymentId: "7",
      status: "CONFIRMED",
      success: true,
      amount: 500,
      receipt: null,
      payload: JSON.stringify({
        TerminalKey: "TEST",
        OrderId: "order",
        PaymentId: 7,
        Status: "CONFIRMED",
        Success: true,
        Amount: 500,
      }),
    });
    expect(await verify({ TerminalKey: "LIVE" }, "l")).toMatchObject({ environment: "live", terminal: "first" });
  });

  it("may lack order, payment and amount, and write its success as a text", async () => {
    const bare = { OrderId: undefined, PaymentId: undefined, Amount: undefined, Success: "false" };
    expect(await verify(bare)).toMatchObject({ orderId: null, bankPaymentId: null, amount: null, success: false });
  });

  it.each([
    ["of an unknown terminal", { TerminalKey: "OTHER" }, "t"],
    ["signed with another terminal's password", {}, "l"],
    ["without a status", { Status: undefined }, "t"],
    ["with an amount that is no whole number", { Amount: 1.5 }, "t"],
  ])("%s is none", async (_what, fields, password) => {
    expect(await verify(fields, password)).toBeNull();
  });

  it("is none without a token, as no JSON, and as no object", async () => {
    for (const body of [JSON.stringify(message), "{", "[]", "1"]) expect(await verifyBankNotification(body, terminals)).toBeNull();
  });
});
