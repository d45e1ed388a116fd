import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasWord, onOneLine, truncate } from "../../src/core/text.ts";

describe("a text on one line", () => {
  it.each([
    ["Course", "Course"],
    ["  Course\r\n\tof\u2028 two ", "Course of two"],
    ["\u202eesruoC\u202c", "esruoC"],
    ["Cou\u200brse\ufeff", "Course"],
    ["a\u00a0b", "a b"],
    ["a👨‍👩‍👧b", "a👨‍👩‍👧b"],
    ["\u200b \n", ""],
    ["Co\u200durse", "Course"],
    ["👩🏽\u200d💻 a\u200d👧", "👩🏽\u200d💻 a👧"],
    ["❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"],
    ["👩\u200d", "👩"],
  ])("%j is %j", (text, wanted) => {
    expect(onOneLine(text)).toBe(wanted);
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

describe("a word of a text", () => {
  it.each([
    ["asks about 10.", "10", true],
    ["10", "10", true],
    ["order #10, and no other", "10", true],
    ["(10)", "10", true],
    ["10 apples", "10", true],
    ["a10", "10", false],
    ["- 10 -", "10", true],
    ["110, then 10", "10", true],
    ["пишет про заказ!", "заказ", true],
    ["on 2026-10-01", "10", false],
    ["10.50", "10", false],
    ["9,10", "10", false],
    ["09:10", "10", false],
    ["10/11", "10", false],
    ["part-10", "10", false],
    ["plink_10", "10", false],
    ["10_a", "10", false],
    ["1010", "10", false],
    ["заказ", "зака", false],
    ["", "10", false],
  ])("%j has the word %j: %s", (text, word, wanted) => {
    expect(hasWord(text, word)).toBe(wanted);
  });
});
