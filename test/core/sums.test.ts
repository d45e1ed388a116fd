import { describe, expect, it } from "vitest";
import { addedUp, groupsBy } from "../../src/core/sums.ts";

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
    ];
    expect(groupsBy(rows, ({ currency }) => currency)).toEqual([
      ["EUR", [rows[1]]],
      ["USD", [rows[0], rows[2]]],
    ]);
  });
});
