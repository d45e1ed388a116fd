import fc from "fast-check";
import { describe, expect, it, it as property } from "vitest";
import { Deadline } from "../../src/core/deadline.ts";
import { hmacSha256Hex, sha256Hex } from "../../src/core/digest.ts";
import { canonicalJson, exceedsDepth } from "../../src/core/json.ts";
import { errorFields } from "../../src/core/log.ts";
import { toMajorUnits } from "../../src/core/money.ts";
import { redact } from "../../src/core/redact.ts";

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

it("hashes by the known answers of the algorithms", async () => {
  expect(await sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const message = new TextEncoder().encode("what do ya want for nothing?");
  expect(await hmacSha256Hex("Jefe", message)).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
});

it("counts a deadline down to nothing and no further", () => {
  let now = 1_000;
  const deadline = new Deadline({ now: () => now }, 500);
  expect(deadline.remaining()).toBe(500);
  now += 499;
  expect(deadline.remaining()).toBe(1);
  now += 10_000;
  expect(deadline.remaining()).toBe(0);
});

describe("redact", () => {
  it.each([
    ["Invalid API Key provided: sk_live_abc***xyz.", "Invalid API Key provided: …."],
    ["signed with whsec_test_4f7d1c0b", "signed with …"],
    ["see https://buy.example/checkout/1?x=2 for more", "see … for more"],
    ["No such price: 'price_1'", "No such price: 'price_1'"],
    ["x".repeat(900), "x".repeat(500)],
  ])("%s", (text, wanted) => {
    expect(redact(text)).toBe(wanted);
  });
});

describe("what is logged of a thrown value", () => {
  it("is its class, its message and its cause's, without the values of a statement that failed", () => {
    const failed = new Error("Failed query: insert into people values (?, ?)\nparams: anna@example.com,+79031234567\nand more", {
      cause: new Error("D1_ERROR: no such table: people"),
    });
    expect(errorFields(failed)).toEqual({
      error_class: "Error",
      error_text: "Failed query: insert into people values (?, ?) (Error: D1_ERROR: no such table: people)",
    });
    expect(errorFields("text")).toEqual({ error_class: "string", error_text: "" });
  });
});
