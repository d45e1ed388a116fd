import type { Schema } from "@cfworker/json-schema";
import { expect, it } from "vitest";
import { faultsIn, faultsOf } from "../../dashboard/src/shared/check.ts";
import { texts } from "../../dashboard/src/texts/index.ts";

const { form } = texts;

const line: Schema = {
  type: "object",
  required: ["quantity"],
  properties: {
    quantity: { type: "integer", minimum: 2, maximum: 12 },
    unit_amount: { type: "integer", exclusiveMinimum: 49, maximum: 123_456 },
    above_nothing: { type: "integer", exclusiveMinimum: 0 },
  },
};
const schema: Schema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 2, maxLength: 5 },
    code: { type: "string", pattern: "^[A-Z]+$" },
    plain: { type: "string", pattern: "^[A-Z]+$" },
    flag: { type: "boolean" },
    items: { type: "array", minItems: 1, maxItems: 2, items: line },
    price: { anyOf: [line, { type: "null" }] },
    most: { anyOf: [{ type: "integer", minimum: 3 }, { type: "null" }] },
  },
};

it.each([
  ["a missing field", {}, { name: form.required }],
  ["a text that is too short", { name: "a" }, { name: form.required }],
  ["a text that is too long", { name: "abcdef" }, { name: form.maxLength(5) }],
  ["an empty field, whatever its rule", { name: "ab", code: "" }, { code: form.required }],
  ["a wrong form, in the words of the pages", { name: "ab", code: "a" }, { code: texts.help.code }],
  ["a wrong form without words", { name: "ab", plain: "a" }, { plain: form.invalid }],
  ["another type", { name: "ab", flag: "yes" }, { flag: form.required }],
  ["an empty list", { name: "ab", items: [] }, { items: form.minItems }],
  ["a long list", { name: "ab", items: [{ quantity: 2 }, { quantity: 2 }, { quantity: 2 }] }, { items: form.maxItems(2) }],
  ["a number below its bound", { name: "ab", items: [{ quantity: 1 }] }, { "items.0.quantity": form.minimum(2) }],
  ["a number above its bound", { name: "ab", items: [{ quantity: 2 }, { quantity: 13 }] }, { "items.1.quantity": form.maximum(12) }],
  [
    "a number that must be greater",
    { name: "ab", items: [{ quantity: 2, above_nothing: 0 }] },
    { "items.0.above_nothing": form.minimum(1) },
  ],
  ["no whole number", { name: "ab", items: [{ quantity: "x" }] }, { "items.0.quantity": form.integer }],
  ["no whole number in a field that may be empty", { name: "ab", most: "1 000" }, { most: form.integer }],
  ["a number below the bound of a field that may be empty", { name: "ab", most: 2 }, { most: form.minimum(3) }],
  ["a missing field of a line", { name: "ab", items: [{}] }, { "items.0.quantity": form.required }],
])("the check of a form names %s", (_what, body, faults) => expect(faultsIn(schema, body)).toEqual(faults));

it.each([
  [49, `At least 0.5`],
  [123_457, `At most 1,234.56`],
  ["1,234", form.unclearAmount],
])("the check of a form says the bounds of an amount in major units: %s", (unit_amount, fault) =>
  expect(faultsIn(schema, { name: "ab", items: [{ quantity: 2, unit_amount }] })).toEqual({ "items.0.unit_amount": fault }),
);

it("the check of a form finds every fault at once, and none in a good body", () => {
  expect(Object.keys(faultsIn(schema, { code: "a", items: [{ quantity: 1 }, { quantity: 1 }] }))).toEqual([
    "name",
    "code",
    "items.0.quantity",
    "items.1.quantity",
  ]);
  expect(faultsIn(schema, { name: "ab", items: [{ quantity: 2, unit_amount: 50 }], price: null })).toEqual({});
});

it("a form of an operation that has no description is not checked", () => {
  expect(faultsOf("none", {})).toEqual({});
});
