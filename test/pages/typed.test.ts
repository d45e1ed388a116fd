import { expect, it } from "vitest";
import { countedUnits, decimalNumber, minorUnits, shownAmount, wholeNumber } from "../../dashboard/src/shared/typed-number.ts";

it("an amount that was typed is counted, shown and sent as one, and what is none stays as it was typed", () => {
  expect([minorUnits("1,234.50"), countedUnits("1,234.50"), shownAmount("1,234.5")]).toEqual([123_450, 123_450, "1 234.50"]);
  expect([shownAmount("1234567.5"), shownAmount("123")]).toEqual(["1 234 567.50", "123.00"]);
  expect([minorUnits("1,234"), countedUnits("1,234"), shownAmount("1,234")]).toEqual(["1,234", 0, "1,234"]);
  expect([minorUnits(""), minorUnits("  "), minorUnits(19), shownAmount("0.05")]).toEqual([undefined, undefined, 1900, "0.05"]);
});

it("a whole number that was typed is one, and anything else stays as it was typed", () => {
  expect(["7", " 12 ", "", "1.5", "1e3", "-1"].map(wholeNumber)).toEqual([7, 12, undefined, "1.5", "1e3", "-1"]);
});

it("a number with a fraction that was typed is one, with a point or a comma; what can be read in two ways stays a text", () => {
  expect(["1250.50", "2,5", "2,55", " -5 ", "0.125", "0.0125", "7", ""].map(decimalNumber)).toEqual([
    1250.5,
    2.5,
    2.55,
    -5,
    0.125,
    0.0125,
    7,
    undefined,
  ]);
  for (const text of ["1,234", "1.250", "12.500", "-1.250", "0,125", "1.23456", "1 000", "1e3", "--1", "1.", ".5", "5x", "x5"])
    expect(decimalNumber(text)).toBe(text);
});
