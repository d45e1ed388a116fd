import { describe, expect, it } from "vitest";
import { verifyBankNotification } from "../../src/bank/notification.ts";
import { tokenOf } from "../../src/bank/token.ts";

const terminals = {
  live: { first: { terminalKey: "LIVE", password: "l", taxation: "osn" } },
  test: { second: { terminalKey: "TEST", password: "t", taxation: "osn" } },
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
