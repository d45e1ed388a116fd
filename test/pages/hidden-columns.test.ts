import { expect, it } from "vitest";
import { toggled, withoutHidden } from "../../dashboard/src/objects/hidden-columns.ts";

const columns = ["Order", "Amount", "Status"];

it("hides what a person has hidden, never the first column, and knows no other", () => {
  expect(withoutHidden(columns, [])).toEqual(["Order", "Amount", "Status"]);
  expect(withoutHidden(columns, [1])).toEqual(["Order", "Status"]);
  expect(withoutHidden(columns, [0, 1, 2, 7])).toEqual(["Order"]);
});

it("hides a column, and shows it again", () => {
  expect(toggled([], 1)).toEqual([1]);
  expect(toggled([1, 2], 1)).toEqual([2]);
});
