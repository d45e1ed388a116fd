import { expect, it } from "vitest";
import { type Found, factsOfFound, isSearched, pageOfFound, shownFirst, titleOfFound } from "../../dashboard/src/find/found.ts";

const order: Found = {
  kind: "order",
  id: "pi_1",
  environment: "test",
  title: "a@example.com",
  state: "refunded",
  currency: "EUR",
  amount: 19.5,
  at: "2026-11-27T00:00:00.000Z",
  summary: null,
};

it.each([
  ["order", "/orders/x?env=test"],
  ["payment_link", "/links/x?env=test"],
  ["product", "/products/x?env=test"],
  ["promotion_code", "/promotion-codes/x?env=test"],
  ["subscription", "/subscriptions/x?env=test"],
  ["event", "/events/x?env=test"],
  ["request", "/developers/requests/x?env=test"],
  ["key", "/developers?tab=keys&env=test"],
  ["statement", "/balance/statements/x?env=test"],
  ["payout", "/balance?tab=payouts&env=test"],
  ["confirmation", "/developers/confirmations/x?env=test"],
  ["agent", "/developers?tab=agents&env=test"],
  ["person", "/team?env=test"],
  ["change", "/team?tab=audit&target=x&env=test"],
] as const)("a found %s leads to its page in its own environment", (kind, page) => {
  expect(pageOfFound({ ...order, kind, id: "x" })).toBe(page);
  expect(pageOfFound({ ...order, kind, id: "x", environment: null })).toBe(page.replace(/.env=test$/, ""));
});

it("a found object says what it is, what it costs, whose it is, its state and its environment", () => {
  expect(titleOfFound(order)).toMatch(/^Order · .*19\.50.* · a@example\.com$/);
  expect(titleOfFound({ ...order, kind: "event", title: null, amount: null, currency: null })).toBe("Event · pi_1");
  expect(factsOfFound(order)).toBe("Test · Refunded");
  expect(titleOfFound({ ...order, amount: null })).toBe("Order · a@example.com");
  expect(titleOfFound({ ...order, currency: null })).toBe("Order · a@example.com");
  expect(factsOfFound({ ...order, state: null })).toBe("Test");
  expect(factsOfFound({ ...order, environment: null })).toBe("Refunded");
  expect(factsOfFound({ ...order, state: "new_state", environment: "live" })).toBe("Live · new_state");
  expect(factsOfFound({ ...order, summary: { en: "Paid.", ru: "Оплачено." } })).toBe("Test · Paid.");
});

it.each([
  ["key.issue", "Change · made a key · key_1"],
  ["of.another_version", "Change · of.another_version · key_1"],
  [null, "Change · key_1"],
])("a change that was found is named by what was done (%s) and to what", (title, named) => {
  expect(titleOfFound({ ...order, kind: "change", id: "key_1", title, amount: null })).toBe(named);
});

it("what is found in the shown environment stands first, in the order that it came", () => {
  const found = (["test", "live", null, "test", "live"] as const).map((environment, index) => ({ environment, id: index }));
  expect(shownFirst(found, "live").map(({ id }) => id)).toEqual([1, 2, 4, 0, 3]);
  expect(shownFirst(found, "test").map(({ id }) => id)).toEqual([0, 2, 3, 1, 4]);
});

it("three letters are searched for, and any number: it is an amount", () => {
  expect(["ab", "an", "", "$", "ann", "1", "19", "€5"].filter(isSearched)).toEqual(["ann", "1", "19", "€5"]);
});
