import fc from "fast-check";
import { describe, expect, it, it as property } from "vitest";
import * as z from "zod";
import {
  canonicalJson,
  exceedsDepth,
  isWellFormed,
  parseJson,
  parseKeepingLargeNumbers,
  parseKeepingNumbers,
} from "../../src/core/json.ts";

describe("JSON", () => {
  property("is canonical: any order of keys gives one text, and the text gives the value back", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const shuffled = Object.fromEntries(Object.entries(value).toReversed());
        expect(canonicalJson(shuffled)).toBe(canonicalJson(value));
        expect(JSON.stringify(JSON.parse(canonicalJson(value)))).toBe(JSON.stringify(JSON.parse(canonicalJson(shuffled))));
      }),
    );
  });

  it("measures depth without recursion", () => {
    const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown;
    expect(exceedsDepth(nested(3), 3)).toBe(false);
    expect(exceedsDepth(nested(4), 3)).toBe(true);
    expect(exceedsDepth(nested(5_000), 3)).toBe(true);
    expect(exceedsDepth("flat", 0)).toBe(false);
  });
});

it("is canonical at every depth, and keeps the order of lists", () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }, 3], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1},3]}');
});

it.each([
  ["text", true],
  ["😀", true],
  ["half \ud83d", false],
  [{ a: ["ok", { b: "\udc00" }] }, false],
  [{ a: [1, null, true] }, true],
])("%j is well-formed: %s", (value, wanted) => {
  expect(isWellFormed(value)).toBe(wanted);
});

it("parses a text by a schema, and refuses a text that does not fit", () => {
  const schema = z.object({ a: z.int() });
  expect(parseJson(schema, '{"a":1}')).toEqual({ a: 1 });
  expect(() => parseJson(schema, '{"a":"1"}')).toThrow();
  expect(() => parseJson(schema, "{")).toThrow();
});

it.each([
  ['{"a":9007199254740993}', { a: "9007199254740993" }, { a: "9007199254740993" }],
  ['{"a":1.50}', { a: "1.50" }, { a: 1.5 }],
  ['{"a":12,"b":[1.5,"x",null,true]}', { a: 12, b: [1.5, "x", null, true] }, { a: 12, b: [1.5, "x", null, true] }],
  ["9007199254740991", 9_007_199_254_740_991, 9_007_199_254_740_991],
])("keeps the text of the numbers of %s that would change", (text, kept, keptLarge) => {
  expect(parseKeepingNumbers(text)).toEqual(kept);
  expect(parseKeepingLargeNumbers(text)).toEqual(keptLarge);
  expect(() => parseKeepingNumbers("{")).toThrow();
});
