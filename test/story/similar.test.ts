import { describe, expect, it } from "vitest";
import { oneMistakeFrom } from "../../src/story/similar.ts";

describe("one mistake from a text is", () => {
  it("a letter wrong, missing or too many, or two neighbours swapped; never the text itself", () => {
    expect([...oneMistakeFrom("ab", "ab")].toSorted()).toEqual(["a", "aa", "aab", "aba", "abb", "b", "ba", "bab", "bb"]);
    expect(oneMistakeFrom("ale", "s").has("ael")).toBe(true);
    expect(oneMistakeFrom("ale", "s").has("sle")).toBe(true);
    expect(oneMistakeFrom("ale", "s").has("ales")).toBe(true);
    expect(oneMistakeFrom("ale", "s").has("salsa")).toBe(false);
  });
});
