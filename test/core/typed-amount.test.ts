import { expect, it } from "vitest";
import { typedMinorUnits } from "../../src/core/typed-amount.ts";

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
  ["999999999", 99_999_999_900],
])("%s is understood", (text, minor) => expect(typedMinorUnits(text)).toBe(minor));

it.each(["", "1,234", "1.234", "1,234,567", "19.999", "1e3", "-19", "12 34", "12,34.50", "1.234.50", "1234567890", "19 USD", "0x10", "½"])(
  "%j is no amount, or can be read in two ways",
  (text) => expect(typedMinorUnits(text)).toBeNull(),
);
