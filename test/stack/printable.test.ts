import { expect, it } from "vitest";
import { printable, printableJson } from "../../tools/local/printable.ts";

it.each([
  ["a name\tand\na line", "a name\tand\na line"],
  ["\u001b[2J\u001b]0;title\u0007cleared", "�[2J�]0;title�cleared"],
  ["back\rover", "back�over"],
  ["pay\u202eevil\u200b", "pay�evil�"],
  ["\u009b31mred", "�31mred"],
  ["ключ ü 日本 …", "ключ ü 日本 …"],
])("prints %j as it may be printed", (text, shown) => {
  expect(printable(text)).toBe(shown);
});

it("writes JSON that says the same, without such characters", () => {
  const value = { name: "pay\u202eevil\u001b[2J", list: ["\u009b", "ü"] };
  const text = printableJson(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(printable(text)).toBe(text);
});
