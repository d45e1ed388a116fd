import { expect, it } from "vitest";
import { Memory } from "../../src/core/memory.ts";

it("an entry counts for its time, from when it was last remembered", () => {
  const memory = new Memory<string>(10, 2);
  memory.remember("a", "one", 0);
  expect([memory.get("a", 9), memory.get("a", 10), memory.get("b", 0)]).toEqual(["one", undefined, undefined]);
  memory.remember("a", "two", 10);
  expect([memory.get("a", 19), memory.get("a", 20)]).toEqual(["two", undefined]);
  memory.forget("a");
  expect(memory.get("a", 11)).toBeUndefined();
});

it("the oldest entry makes room for a new one", () => {
  const memory = new Memory<number>(10, 2);
  memory.remember("a", 1, 0);
  memory.remember("b", 2, 0);
  memory.remember("a", 3, 0);
  memory.remember("c", 4, 0);
  expect(["a", "b", "c"].map((name) => memory.get(name, 0))).toEqual([3, undefined, 4]);
});
