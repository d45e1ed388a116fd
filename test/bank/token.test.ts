import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenOf, verifyToken } from "../../src/bank/token.ts";

describe("known answers", () => {
  it.each([
    [
      "of the bank's documentation, a request",
      { TerminalKey: "MerchantTerminalKey", Amount: 19200, OrderId: "21090", Description: "Подарочная карта на 1000 рублей" },
      "usaf8fw8fsw21g",
      "0024a00af7c350a3a67ca168ce06502aa72772456662e38696d48b56ee9c97d9",
    ],
    [
      "of a notification, with numbers and a truth value",
      {
        TerminalKey: "1234567890DEMO",
        OrderId: "000000",
        Success: true,
        Status: "AUTHORIZED",
        PaymentId: "0000000",
        ErrorCode: "0",
        Amount: 1111,
        CardId: "000000",
        Pan: "200000******0000",
        ExpDate: "1111",
        RebillId: "000000",
      },
      "11111111111",
      "1c0964277d0213349243065a0d5b838b8e90d2d25f740d0f2767836e710e80c8",
    ],
    [
      "of a notification, all texts",
      {
        TerminalKey: "1321054611234DEMO",
        OrderId: "201709",
        Success: "true",
        Status: "AUTHORIZED",
        PaymentId: "8742591",
        ErrorCode: "0",
        Amount: "9855",
        CardId: "322264",
        Pan: "430000******0777",
        ExpDate: "1122",
        RebillId: "101709",
      },
      "Dfsfh56dgKl",
      "b906d28e76c6428e37b25fcf86c0adc52c63d503013fdd632e300593d165766b",
    ],
  ])("%s", async (_what, message, password, token) => {
    expect(await tokenOf(message, password)).toBe(token);
    expect(await verifyToken({ ...message, Token: token }, password)).toBe(true);
    expect(await verifyToken({ ...message, Token: token.toUpperCase() }, password)).toBe(true);
  });
});

it("leaves out objects, lists, what is null and the token itself", async () => {
  const message = { A: 1, B: "two", C: false };
  const more = { ...message, Receipt: { Items: [] }, List: [1], Nothing: null, Token: "x" };
  expect(await tokenOf(more, "p")).toBe(await tokenOf(message, "p"));
});

it("is another for any other value, name or password", async () => {
  const message = fc.dictionary(
    fc.stringMatching(/^[A-Z][A-Za-z]{0,8}$/),
    fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean()),
    {
      minKeys: 1,
    },
  );
  await fc.assert(
    fc.asyncProperty(message, fc.string({ minLength: 1 }), async (fields, password) => {
      const { Token: _, Password: __, ...own } = fields;
      const Token = await tokenOf(own, password);
      expect(await verifyToken({ ...own, Token }, password)).toBe(true);
      expect(await verifyToken({ ...own, Token }, `${password}x`)).toBe(false);
      expect(await verifyToken({ ...own, ZZZ: "new", Token }, password)).toBe(false);
      for (const wrong of ["", Token.slice(1), `${Token}0`, null, 7, undefined]) {
        expect(await verifyToken({ ...own, Token: wrong }, password)).toBe(false);
      }
    }),
    { numRuns: 60 },
  );
});
