import { describe, expect, it } from "vitest";
import { addedUp, groupsBy, sumsInParts } from "../../src/core/sums.ts";

describe("rows that are added up", () => {
  it("are added field by field, and a field that a row lacks counts nothing", () => {
    const rows: { paid?: number; refunded?: number; other: number }[] = [
      { paid: 1900, refunded: -400, other: 5 },
      { paid: 50, other: 7 },
    ];
    expect(addedUp(["paid", "refunded"], rows)).toEqual({ paid: 1950, refunded: -400 });
    expect(addedUp(["paid", "refunded"], [])).toEqual({ paid: 0, refunded: 0 });
  });

  it("are grouped in the order of their keys, each group in the order of its rows", () => {
    const rows = [
      { currency: "USD", at: 1 },
      { currency: "EUR", at: 2 },
      { currency: "USD", at: 3 },
      { currency: "GBP", at: 4 },
    ];
    expect(groupsBy(rows, ({ currency }) => currency)).toEqual([
      ["EUR", [rows[1]]],
      ["GBP", [rows[3]]],
      ["USD", [rows[0], rows[2]]],
    ]);
  });
});

describe("sums of things that are too many to be read at once", () => {
  const rows = { a: 3, b: 9, c: 2, d: 0 } as const;
  const most = 8;
  const asked: string[] = [];
  async function read(ids: readonly string[]) {
    asked.push(ids.join(""));
    const all = ids.map((id) => [id, rows[id as keyof typeof rows]] as const);
    if (all.reduce((sum, [, count]) => sum + count, 0) > most) return null;
    return new Map(all.filter(([, count]) => count > 0).map(([id, count]) => [id, [count]]));
  }

  it("are read in halves, and null is what is too much alone; a thing without any has none", async () => {
    expect(Object.fromEntries(await sumsInParts(["a", "b", "c", "d"], read))).toEqual({ a: [3], b: null, c: [2], d: [] });
    expect(asked).toEqual(["abcd", "ab", "cd", "a", "b"]);
  });

  it("are read so often at most, and nothing is asked for nothing", async () => {
    asked.length = 0;
    expect(Object.fromEntries(await sumsInParts(["a", "b", "c", "d"], read, 3))).toEqual({ a: null, b: null, c: [2], d: [] });
    expect(asked).toEqual(["abcd", "ab", "cd"]);
    expect(Object.fromEntries(await sumsInParts(["b", "a"], read, 1))).toEqual({ a: null, b: null });
    expect(await sumsInParts([], read)).toEqual(new Map());
    expect(asked).toEqual(["abcd", "ab", "cd", "ba"]);
  });
});
