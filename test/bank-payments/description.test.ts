import { describe, expect, it } from "vitest";
import { describeCart } from "../../src/bank-payments/description.ts";

// interface 9.8
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
