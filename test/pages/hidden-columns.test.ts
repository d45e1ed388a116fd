import { expect, it } from "vitest";
import { toggled, withoutHidden } from "../../dashboard/src/objects/hidden-columns.ts";

const columns = ["Order", "Amount", "Status"].map((header) => ({ header }));
const headers = (hidden: string[]) => withoutHidden(columns, hidden).map(({ header }) => header);

it("hides what a person has hidden, never the first column, and knows no other", () => {
  expect(headers([])).toEqual(["Order", "Amount", "Status"]);
  expect(headers(["Amount"])).toEqual(["Order", "Status"]);
  expect(headers(["Order", "Amount", "Status", "Gone"])).toEqual(["Order"]);
});

it("hides a column, and shows it again", () => {
  expect(toggled([], "Amount")).toEqual(["Amount"]);
  expect(toggled(["Amount", "Status"], "Amount")).toEqual(["Status"]);
});
