import { expect, it } from "vitest";
import { itemsIn, namesOfItems, storedItems, unitsOf } from "../../src/orders/items.ts";

const item = (name: string | null, quantity = 1) => ({ productId: `prod_${name}`, name, quantity, unitAmount: 500 });

it.each([
  [[], null],
  [[item("Course")], "Course"],
  [[item(null)], "prod_null"],
  [[item("Course"), item("Book", 2)], "Course, 2 × Book"],
  [[item("A"), item("B"), item("C")], "A, B, C"],
  [[item("A"), item("B"), item("C"), item("D")], "A, B, C, …"],
])("what is sold of %j is named as %s", (items, named) => {
  expect(namesOfItems(items)).toBe(named);
});

it("lines are read as they were stored, with their number of things; unknown ones are none", () => {
  const items = [item("Course"), item("Book", 2)];
  const stored = storedItems(items);
  expect([itemsIn(stored), itemsIn(null)]).toEqual([items, []]);
  expect([unitsOf(stored), unitsOf(null)]).toEqual([3, 0]);
  // The last number of a line is the sum up to it: SQL shares an amount by it.
  expect(JSON.parse(stored).map((line: unknown[]) => line[4])).toEqual([500, 1500]);
});
