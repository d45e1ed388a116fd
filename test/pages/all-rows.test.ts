import { expect, it } from "vitest";
import { allRows } from "../../dashboard/src/api/all-rows.ts";

it("reads a list to its end, page by page", async () => {
  const asked: unknown[] = [];
  const pages = new Map<string | undefined, { data: number[]; next: string | null }>([
    [undefined, { data: [1, 2], next: "b" }],
    ["b", { data: [], next: "c" }],
    ["c", { data: [3], next: null }],
  ]);
  const rows = await allRows<number>(async (at) => {
    asked.push(at);
    return { data: pages.get(at.cursor) };
  });
  expect(rows).toEqual([1, 2, 3]);
  expect(asked).toEqual([{}, { cursor: "b" }, { cursor: "c" }]);
});

it("ends where an answer has no page, or always another", async () => {
  expect(await allRows<number>(async () => ({ data: undefined }))).toEqual([]);
  expect(await allRows<number>(async () => ({ data: { data: [1], next: "again" } }))).toHaveLength(50);
});
