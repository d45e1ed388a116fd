import fc from "fast-check";
import { describe, expect, it, it as property } from "vitest";
import { decimalCurrencies, moneyText, toMajorUnits, toMinorUnits } from "../../src/core/money.ts";

describe("money", () => {
  it.each([
    [1900, "USD", 19],
    [1905, "EUR", 19.05],
    [-5, "USD", -0.05],
    [1900, "JPY", 1900],
    [1234, "KWD", 1.234],
    [500, "UGX", 5],
    [500, "ISK", 5],
    [0, "USD", 0],
    [-0, "USD", 0],
  ])("%i minor units of %s are %d", (minor, currency, major) => {
    expect(toMajorUnits(minor, currency)).toBe(major);
  });

  property("loses nothing: major units times the exponent are the minor units again", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e13, max: 1e13 }), fc.constantFrom("USD", "JPY", "KWD"), (minor, currency) => {
        const exponent = { USD: 2, JPY: 0, KWD: 3 }[currency] ?? 2;
        expect(Math.round(toMajorUnits(minor, currency) * 10 ** exponent)).toBe(minor === 0 ? 0 : minor);
        expect(toMajorUnits(minor, currency)).toBe(Number(`${minor}e-${exponent}`) + 0);
      }),
    );
  });
});

it.each([
  [1900, "USD", "19.00 USD"],
  [1_234_567, "EUR", "12,345.67 EUR"],
  [500, "JPY", "500 JPY"],
  [1234, "KWD", "1.234 KWD"],
])("%s %s reads %s", (minor, currency, text) => {
  expect(moneyText(minor, currency)).toBe(text);
});

describe("toMinorUnits", () => {
  it.each([
    [19, "USD", 1900],
    [0.1 + 0.2, "EUR", 30],
    [1.005, "USD", 100],
    [1900, "JPY", 1900],
    [1.5, "KWD", 1500],
    [0, "USD", 0],
  ])("%d %s is %d", (major, currency, minor) => {
    expect(toMinorUnits(major, currency)).toBe(minor);
  });
});

it("lists the currencies that do not have two decimals, for sums in a database", () => {
  const decimals = decimalCurrencies.flatMap(({ decimals: count, currencies }) => currencies.map((currency) => [currency, count]));
  expect(decimals).toEqual(
    expect.arrayContaining([
      ["JPY", 0],
      ["KWD", 3],
    ]),
  );
  for (const [currency, count] of decimals) expect([currency, toMinorUnits(1, String(currency))]).toEqual([currency, 10 ** Number(count)]);
  expect(decimalCurrencies.map(({ decimals: count }) => count)).toEqual([0, 3]);
});
