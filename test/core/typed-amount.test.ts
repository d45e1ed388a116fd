import { expect, it } from "vitest";
import { minorOfTwoDecimals, shownMinorUnits, sizeIn, typedMinorUnits } from "../../src/core/typed-amount.ts";

it.each([
  ["19", 1900],
  ["19.9", 1990],
  ["19,99", 1999],
  ["0.5", 50],
  ["1 234,50", 123_450],
  ["1\u00a0234", 123_400],
  ["1\u202f234.5", 123_450],
  ["1'234.50", 123_450],
  ["1,234.50", 123_450],
  ["1.234,50", 123_450],
  ["1,234,567.8", 123_456_780],
  ["1.234.567,8", 123_456_780],
  ["1 234 567", 123_456_700],
  ["123 456,78", 12_345_678],
  ["123,456.78", 12_345_678],
  ["123.456,78", 12_345_678],
  ["999999999", 99_999_999_900],
])("%s is understood", (text, minor) => expect(typedMinorUnits(text)).toBe(minor));

it.each(
  ["", "1,234", "1.234", "1,234,567", "19.999", "1e3", "-19", "12 34", "12,34.50", "1.234.50", "1234567890", "19 USD", "0x10", "½"].concat([
    "-1 234",
    "9991 234",
    "1 234 USD",
    "1 234.567",
    "-1,234.50",
    "1234,567.50",
    "1,234.50 USD",
    "1,234.505",
    "-1.234,50",
    "1234.567,50",
    "1.234,50 EUR",
    "1.234,505",
  ]),
)("%j is no amount, or can be read in two ways", (text) => expect(typedMinorUnits(text)).toBeNull());

it.each([
  ["$1,234.50", 123_450],
  ["$1,234.50 USD", 123_450],
  ["1 234,50\u00a0₽", 123_450],
  ["1 234,50\u00a0₽ RUB", 123_450],
  ["49.90", 4_990],
  ["15$", 1_500],
  [" 15 ", 1_500],
])("%s is understood as pages show it", (text, minor) => expect(shownMinorUnits(text)).toBe(minor));

it.each(["$", "USD", "49.90 usd", "$$5", "1,234 USD", "12$34", "12 USD 3", "12$ 3"])("%j is no amount as pages show it", (text) =>
  expect(shownMinorUnits(text)).toBeNull(),
);

it("an amount in major units has its minor units, without the rest of a float", () => {
  expect([19.99, 0.29, 0].map(minorOfTwoDecimals)).toEqual([1_999, 29, 0]);
});

it.each([
  ["-$24.50", 2_450],
  ["−24,50 $", 2_450],
  ["– 24.50", 2_450],
  ["24.50", 2_450],
  ["--24.50", null],
  ["24-50", null],
  ["-", null],
])("the size of %s is %s", (text, minor) => expect(sizeIn(text)).toBe(minor));
