import { expect, it } from "vitest";
import { type Found, factsOfFound, pageOfFound, titleOfFound } from "../../dashboard/src/find/found.ts";

const order: Found = {
  kind: "order",
  id: "pi_1",
  environment: "test",
  title: "a@example.com",
  state: "refunded",
  currency: "EUR",
  amount: 19.5,
  at: "2026-11-27T00:00:00.000Z",
};

it("a found object leads to its page in its own environment", () => {
  expect(pageOfFound(order)).toBe("/orders/pi_1?env=test");
  expect(pageOfFound({ ...order, kind: "key", environment: null })).toBe("/developers?tab=keys");
  expect(pageOfFound({ ...order, kind: "request", id: "0a", environment: null })).toBe("/developers/requests/0a");
});

it("a found object says what it is, what it costs, whose it is, its state and its environment", () => {
  expect(titleOfFound(order)).toMatch(/^Order · .*19\.50.* · a@example\.com$/);
  expect(titleOfFound({ ...order, kind: "event", title: null, amount: null, currency: null })).toBe("Event · pi_1");
  expect(factsOfFound(order)).toBe("Refunded · Test");
  expect(factsOfFound({ ...order, state: null, environment: null })).toBe("");
});
