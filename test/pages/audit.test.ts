import { expect, it } from "vitest";
import { actorName, sentenceOf } from "../../dashboard/src/objects/audit/sentence.ts";
import { nameText, valueText } from "../../dashboard/src/shared/value-text.ts";
import { texts } from "../../dashboard/src/texts/index.ts";

const known = {
  people: new Map([["emp_1", "Ann"]]),
  keys: new Map([
    ["key_1", { label: "web shop", hint: "4e5d", person: "Ann" }],
    ["key_3", { label: "books", hint: null, person: null }],
  ]),
};

it.each([
  ["person emp_1", "Ann"],
  ["person emp_2", "person emp_2"],
  ["holder of key_1", "Key “web shop” (…4e5d) of Ann"],
  ["holder of key_3", "Key “books”"],
  ["holder of key_2", "Key “key_2”"],
  ["agent grant_1 of key_1", "An agent of Key “web shop” (…4e5d) of Ann"],
  ["support", "Support"],
  ["the service", "The service"],
  ["Maria", "Maria"],
  ["an agent of key_1", "an agent of key_1"],
  ["the holder of key_1", "the holder of key_1"],
])("the log's %s is %s", (actor, name) => {
  expect(actorName(actor, known)).toBe(name);
});

it.each([
  ["person emp_1", "A colleague"],
  ["holder of key_1", "A key"],
  ["agent grant_1 of key_1", "An agent of A key"],
  ["support", "Support"],
])("the log's %s is %s for those who see neither people nor keys", (actor, name) => {
  expect(actorName(actor, { people: new Map(), keys: new Map() })).toBe(name);
});

it("a change is a sentence; one without words stands as the log names it", () => {
  const nameOf = (actor: string) => actorName(actor, known);
  expect(sentenceOf({ actor: "person emp_1", action: "key.issue" }, nameOf)).toBe("Ann made a key");
  expect(sentenceOf({ actor: "support", action: "ledger.compare_again" }, nameOf)).toBe("ledger compare again");
  expect(Object.keys(texts.audit.did).length).toBeGreaterThan(40);
});

it.each([
  [["balance_view", "owner"], "See payments, Owner", "permissions"],
  [[], "–"],
  [null, "–"],
  [undefined, "–"],
  ["", "–"],
  ["live", "Live", "environment"],
  ["disabled", "Disabled", "status"],
  ["in_review", "In review", "moderation"],
  ["constructor", "constructor", "status"],
  // What people wrote is not translated.
  ["live", "live", "name"],
  ["active", "active", "label"],
  ["Course A", "Course A"],
  [true, "yes"],
  [false, "no"],
  ["2026-11-29T18:05:00.000Z", "Nov 29, 2026, 6:05 PM"],
  ["2026-11-29T18:05:00Z", "Nov 29, 2026, 6:05 PM"],
  ["2026-11-29", "2026-11-29"],
  ["at 2026-11-29T18:05:00Z", "at 2026-11-29T18:05:00Z"],
  ["2026-11-29T18:05:00Z, noon", "2026-11-29T18:05:00Z, noon"],
  [12, "12"],
  [{ a: 1 }, '{"a":1}'],
])("the value %j of a change is read as %s", (value, text, name = "value") => {
  expect(valueText(value, name)).toBe(text);
});

it("the name of a changed value is that of its form", () => {
  expect([nameText("time_zone"), nameText("first_link"), nameText("webhook_url")]).toEqual(["Time zone", "First link", "URL"]);
});
