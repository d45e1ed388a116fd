import { describe, expect, it } from "vitest";
import { searchTextOf } from "../../dashboard/src/find/search-text.ts";
import { productQuery } from "../../dashboard/src/ops/products/product-query.ts";

const known = () => Promise.resolve(true);
const unknown = () => Promise.resolve(false);

describe("the search of the console", () => {
  it("asks for a pasted key by its SHA-256, in whatever case it was pasted", async () => {
    const key = "a0000000-0000-4000-8000-000000000001";
    const text = await searchTextOf(` ${key} `, known);
    expect(text).toMatch(/^[0-9a-f]{64}$/);
    expect(await searchTextOf(key.toUpperCase(), known)).toBe(text);
    expect(await searchTextOf("a0000000-0000-4000-8000-000000000002", known)).not.toBe(text);
  });

  it("asks for an order reference in the form of a key as it was typed", async () => {
    const reference = "3F2B0000-0000-4000-8000-00000000000A";
    expect(await searchTextOf(` ${reference} `, unknown)).toBe(reference);
  });

  it.each(["order-2041", "pi_3", "a0000000-0000-4000-8000", "a0000000-0000-4000-8000-00000000000g"])("asks for %s as it is", async (text) =>
    expect(await searchTextOf(` ${text} `, known)).toBe(text),
  );
});

describe("the list of products asks for", () => {
  it("what stands in the address, and nothing else", () => {
    expect(
      productQuery({ name: "Course", moderation: "decided", kind: "ruble", currency: "USD", amount_from: "5", cursor: "c", utm: "x" }),
    ).toEqual({
      name: "Course",
      moderation: "decided",
      kind: "ruble",
      currency: "USD",
      amount_from: 5,
      cursor: "c",
    });
    expect(productQuery({ name: "", partner: "", moderation: "sold", kind: "paper", amount_to: "" })).toEqual({});
  });
});
