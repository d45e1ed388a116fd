import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toInit } from "../../src/bank/init.ts";
import { type BankCartRequest, planBankCart } from "../../src/bank-payments/bank-cart.ts";
import { readBuyer } from "../../src/bank-payments/buyer.ts";
import { orderOf } from "../../src/bank-payments/create-bank-payment.ts";
import { describeCart } from "../../src/bank-payments/description.ts";
import { systemClock } from "../../src/core/clock.ts";
import { ServiceFailure } from "../../src/core/errors.ts";
import { newNumericId } from "../../src/core/ids.ts";
import { toMajorUnits } from "../../src/core/money.ts";
import { truncate } from "../../src/core/text.ts";

const TERMINAL = { terminalKey: "t", password: "p", taxation: "osn" };
const initSchema = z.object({
  Amount: z.int(),
  Receipt: z.object({ Items: z.array(z.object({ Name: z.string(), Price: z.int(), Quantity: z.int(), Amount: z.int() })) }),
});

const product = (id: number, unitAmount: number) => ({ id, name: `Товар ${id}`, unitAmount, terminal: "first", vat: "none" });

const request = (items: BankCartRequest["items"]): BankCartRequest => ({
  items,
  buyer: { email: "a@example.com", phone: null },
  externalOrderId: null,
  successUrl: null,
  failUrl: null,
  environment: "live",
});

/** A cart of so many lines whose total is within the limit: each line's share of it is bounded. */
const cartWithin = fc.integer({ min: 1, max: 100 }).chain((count) => {
  const share = Math.floor(1_000_000_000 / count);
  const line = fc.integer({ min: 1, max: 9999 }).chain((quantity) =>
    fc.record({
      quantity: fc.constant(quantity),
      price: fc.integer({ min: 1, max: Math.max(1, Math.floor(share / quantity)) }),
      isCatalogues: fc.boolean(),
    }),
  );
  return fc.array(line, { minLength: count, maxLength: count });
});

it("makes of any cart a receipt whose lines are price times quantity and sum to the amount, in integers", () => {
  let within = 0;
  fc.assert(
    fc.property(cartWithin, (lines) => {
      const products = lines.map(({ price, isCatalogues }, index) => product(index + 1, isCatalogues ? price : 77));
      const items = lines.map(({ price, isCatalogues, quantity }, index) => ({
        productId: index + 1,
        quantity,
        unitAmount: isCatalogues ? undefined : price,
      }));
      const wanted = lines.map(({ price, quantity }) => BigInt(price) * BigInt(quantity));
      const total = wanted.reduce((sum, amount) => sum + amount, 0n);
      fc.pre(total >= 100n);
      within += 1;
      const plan = planBankCart(request(items), products);
      const message = toInit(orderOf({ clock: systemClock, settings: { apiOrigin: "https://api.example" } }, plan, "order"), TERMINAL);
      const { Amount, Receipt } = initSchema.parse(message);
      expect(BigInt(Amount)).toBe(total);
      expect(Receipt.Items.map((item) => BigInt(item.Amount))).toEqual(wanted);
      for (const [index, item] of Receipt.Items.entries()) {
        expect([item.Price, item.Quantity, item.Name]).toEqual([lines[index]?.price, lines[index]?.quantity, `Товар ${index + 1}`]);
        expect(item.Amount).toBe(item.Price * item.Quantity);
      }
      expect(Math.round(toMajorUnits(plan.amount, "RUB") * 100)).toBe(plan.amount);
    }),
    { numRuns: 300 },
  );
  expect(within).toBe(300);
});

it("refuses any cart whose exact total is out of range, and no other", () => {
  const line = fc.record({ price: fc.integer({ min: 1, max: 1_000_000_000 }), quantity: fc.integer({ min: 1, max: 9999 }) });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
      const items = lines.map(({ price, quantity }, index) => ({ productId: index + 1, quantity, unitAmount: price }));
      const products = items.map(({ productId }) => product(productId, 1));
      const total = lines.reduce((sum, { price, quantity }) => sum + BigInt(price) * BigInt(quantity), 0n);
      const plan = () => planBankCart(request(items), products);
      if (total < 100n || total > 1_000_000_000n) expect(plan).toThrow(ServiceFailure);
      else expect(BigInt(plan().amount)).toBe(total);
    }),
    { numRuns: 300 },
  );
});

describe("what the bank's page says", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `Товар ${index + 1}`);

  it.each([
    [1, "Товар 1"],
    [2, "Товар 1 и ещё 1 товар"],
    [3, "Товар 1 и ещё 2 товара"],
    [5, "Товар 1 и ещё 4 товара"],
    [6, "Товар 1 и ещё 5 товаров"],
    [12, "Товар 1 и ещё 11 товаров"],
    [13, "Товар 1 и ещё 12 товаров"],
    [15, "Товар 1 и ещё 14 товаров"],
    [21, "Товар 1 и ещё 20 товаров"],
    [22, "Товар 1 и ещё 21 товар"],
    [23, "Товар 1 и ещё 22 товара"],
    [26, "Товар 1 и ещё 25 товаров"],
    [100, "Товар 1 и ещё 99 товаров"],
  ])("of %i items", (count, text) => {
    expect(describeCart(names(count))).toBe(text);
  });

  it("keeps the note whole where the name is too long", () => {
    const text = describeCart(["я".repeat(500), ...names(99)]);
    expect(text).toHaveLength(140);
    expect(text).toMatch(/^я+… и ещё 99 товаров$/);
    expect(describeCart(["я".repeat(140)])).toBe("я".repeat(140));
  });
});

describe("a text that is cut", () => {
  it.each([
    ["plain", 5, "plain"],
    ["longer than that", 9, "longer t…"],
    ["ends in a blank", 6, "ends…"],
    ["ab😀cd", 4, "ab…"],
    ["ab😀cd", 5, "ab😀…"],
    ["a👨‍👩‍👧‍👦bcd", 8, "a…"],
    ["и\u0306и\u0306и\u0306", 4, "и\u0306…"],
    ["🇷🇺🇩🇪🇫🇷", 6, "🇷🇺…"],
  ])("%s to %i", (text, most, wanted) => {
    expect(truncate(text, most)).toBe(wanted);
  });

  it("fits, is well-formed, and begins as the whole does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const cut = truncate(text, most);
        expect(cut.length).toBeLessThanOrEqual(most);
        expect(cut.isWellFormed()).toBe(true);
        if (cut !== text) expect(text.startsWith(cut.slice(0, -1))).toBe(true);
      }),
    );
  });
});

describe("a buyer's phone", () => {
  it.each([
    ["+79031234567", "+79031234567"],
    ["+7 (903) 123-45-67", "+79031234567"],
    ["+7\u00a0903\u2013123\u201345\u201367", "+79031234567"],
    ["8 903 123 45 67", "+79031234567"],
    ["79031234567", "+79031234567"],
    ["9031234567", "+79031234567"],
    ["+49 30 901820", "+4930901820"],
    ["0049 30 901820", "+4930901820"],
    ["375291234567", "+375291234567"],
    ["810 375 29 123 45 67", "+375291234567"],
    ["+81 3 1234 5678", "+81312345678"],
    ["+4951234567", "+4951234567"],
  ])("%s is %s", (text, wanted) => {
    expect(readBuyer(undefined, text)).toEqual({ email: null, phone: wanted });
  });

  it.each([
    "",
    "+",
    "abc",
    "+7903123456789012",
    "123456",
    "+0123456789",
    "7903+1234567",
    "+7903123456７",
    "4951234567",
    "00 0951234567",
    "123-45-67",
    "4951234",
    "+89031234567",
    "+7 (8) 9031234567",
    "+7903123456",
    "+810375291234567",
  ])("%j is none", (text) => {
    expect(() => readBuyer("a@example.com", text)).toThrow(ServiceFailure);
  });
});

it("numbers payments at random, in 15 digits", () => {
  const ids = Array.from({ length: 2000 }, newNumericId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(String(id)).toMatch(/^[1-9]\d{14}$/);
});
