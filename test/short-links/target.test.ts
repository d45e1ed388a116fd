import { describe, expect, it } from "vitest";
import { fromCache, isCheckout, toCache } from "../../src/short-links/target.ts";

const target = { partnerId: "acme", url: "https://buy.example/c/1", closesAt: null };

describe("a target in KV", () => {
  it.each([
    [target, "acme https://buy.example/c/1"],
    [{ ...target, closesAt: 1_767_225_600_000 }, "acme https://buy.example/c/1 1767225600000"],
    [{ ...target, closesAt: 0 }, "acme https://buy.example/c/1 0"],
  ])("%j is read as it was written", (one, text) => {
    expect(toCache(one)).toBe(text);
    expect(fromCache(text)).toEqual(one);
  });

  it.each([
    "",
    "acme",
    "acme ",
    " https://buy.example/c/1",
    "https://buy.example/c/1",
    "acme https://buy.example/c/1 ",
    "acme https://buy.example/c/1 soon",
    "acme https://buy.example/c/1 1.5",
    "acme https://buy.example/c/1 1 2",
  ])("%j is none of ours", (text) => {
    expect(fromCache(text)).toBeNull();
  });

  it("leads to the checkouts of the settings alone, and anywhere without them", () => {
    const origins = ["https://other.example", "https://buy.example"];
    expect(isCheckout(target, origins)).toBe(true);
    for (const url of [
      "https://buy.example",
      "https://buy.example.evil.example/c/1",
      "http://buy.example/c/1",
      "https://evil.example/https://buy.example/",
    ])
      expect([url, isCheckout({ url }, origins)]).toEqual([url, false]);
    expect([isCheckout(target, []), isCheckout({ url: "x" }, null)]).toEqual([false, true]);
  });
});
