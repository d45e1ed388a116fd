import { expect, it } from "vitest";
import { newId, newNumericId } from "../../src/core/ids.ts";

it("numbers payments at random, in 15 digits", () => {
  const ids = Array.from({ length: 2000 }, newNumericId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(String(id)).toMatch(/^[1-9]\d{14}$/);
});

it("makes random ids with their type as the prefix", () => {
  expect(newId("evt")).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(newId("evt")).not.toBe(newId("evt"));
});
