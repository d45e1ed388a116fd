import { describe, expect, it } from "vitest";
import { daysOf } from "../../dashboard/src/home/days-of.ts";
import { objectsIn } from "../../dashboard/src/objects/events/objects-in.ts";
import { kindOf, paymentPageOf } from "../../dashboard/src/objects/movements/words.ts";
import { itemsText } from "../../dashboard/src/objects/orders/items-text.ts";
import { shownState } from "../../dashboard/src/objects/subscriptions/shown-state.ts";
import { definitions } from "../../dashboard/src/ops/api/definitions.ts";
import { faultsOf } from "../../dashboard/src/shared/check.ts";
import { choiceOf, offeredBeside, priceAfter } from "../../dashboard/src/shared/choose-product.ts";
import { dayText } from "../../dashboard/src/shared/day-text.ts";
import { moneyText, moneyWithCode } from "../../dashboard/src/shared/money-text.ts";
import { shareOf } from "../../dashboard/src/shared/share.ts";
import { shellQuote } from "../../dashboard/src/shared/shell-quote.ts";
import { inShownZone, noteZone, shownZone } from "../../dashboard/src/shared/time-zone.ts";
import { cartTotal, countedQuantity } from "../../dashboard/src/shared/typed-number.ts";
import { texts } from "../../dashboard/src/texts/index.ts";
import {
  codeStates,
  confirmationStates,
  grantStates,
  keyStates,
  linkStates,
  orderStates,
  personStates,
  webhookStates,
} from "../../src/core/object-states.ts";

const stateField = definitions.find(({ command }) => command === "deliveries list")?.query.properties?.state;
const deliveryStates: unknown[] = typeof stateField === "object" ? (stateField.enum ?? []) : [];

it.each([
  ...linkStates,
  ...codeStates,
  ...keyStates,
  ...personStates,
  ...grantStates,
  ...confirmationStates,
  ...webhookStates,
  ...orderStates,
  ...deliveryStates,
  "ending",
])("the state %s has words of its own", (state) => expect(texts.status).toHaveProperty(String(state)));

describe("a subscription's page", () => {
  const reported = { state: "active", status: "active", updated_at: "2026-11-01T00:00:00Z", ends_at: null };
  const changed = { isEnding: true, endsAt: "2026-12-01T00:00:00Z", at: "2026-11-02T00:00:00Z" };

  it("shows what was answered until the processor has reported the change", () => {
    expect(shownState(reported, null)).toEqual({ state: "active", isEnding: false, endsAt: null, isNews: false });
    expect(shownState(reported, changed)).toEqual({ state: "ending", isEnding: true, endsAt: "2026-12-01T00:00:00Z", isNews: true });
    expect(
      shownState({ ...reported, state: "ending", ends_at: "2026-12-02T00:00:00Z", updated_at: "2026-11-03T00:00:00Z" }, changed),
    ).toEqual({
      state: "ending",
      isEnding: true,
      endsAt: "2026-12-02T00:00:00Z",
      isNews: false,
    });
  });

  it("a report of the same moment does not hold the change yet; one that shows it is no news", () => {
    expect(shownState({ ...reported, updated_at: changed.at }, changed).isNews).toBe(true);
    expect(shownState({ ...reported, state: "ending" }, changed)).toEqual({ state: "ending", isEnding: true, endsAt: null, isNews: false });
    expect(shownState(reported, { ...changed, isEnding: false }).isNews).toBe(false);
  });

  it("believes a later report, whatever was answered before", () => {
    expect(shownState({ ...reported, updated_at: "2026-11-03T00:00:00Z" }, changed)).toEqual({
      state: "active",
      isEnding: false,
      endsAt: null,
      isNews: false,
    });
    expect(shownState({ ...reported, state: "ending" }, { isEnding: false, endsAt: null, at: "2026-11-02T00:00:00Z" })).toEqual({
      state: "active",
      isEnding: false,
      endsAt: null,
      isNews: true,
    });
  });
});

it("the ids in an event's body are found at any depth, each once", () => {
  const message = {
    id: "evt_1",
    transaction: { payment_intent_id: "pi_1", payment_link_id: "plink_1" },
    again: ["pi_1", "pi_34"],
    one: ["pi_5"],
    subscription: { id: "sub_1" },
    note: "pi_ is no id",
    others: ["pi_2 and more", "a pi_3", "pi_", "cus_1"],
    none: null,
  };
  expect(objectsIn(message)).toEqual([
    ["0", "pi_1"],
    ["payment_link_id", "plink_1"],
    ["1", "pi_34"],
    ["0", "pi_5"],
    ["id", "sub_1"],
  ]);
});

it("a movement leads to its payment, and is named by its kind", () => {
  expect([paymentPageOf({ payment_intent_id: "pi_1" }), paymentPageOf({ payment_intent_id: null })]).toEqual(["/orders/pi_1", null]);
  expect(kindOf({ type: null })).toBe(texts.payments.unclassified);
  expect(kindOf({ type: "processor_refund" })).toBe(texts.movement.processor_refund);
});

it("a share of events is rounded down: 100 % is all of them", () => {
  expect([shareOf(0, 0), shareOf(999, 1000), shareOf(9_999, 10_000), shareOf(3, 3)]).toEqual(["–", "99.9%", "99.9%", "100.0%"]);
});

it("the total of a form's cart is that of its lines, exact to the cent", () => {
  expect(
    cartTotal([
      { minor: 1_010, quantity: 3 },
      { minor: 20, quantity: 1 },
    ]),
  ).toBe(30.5);
  expect(cartTotal([{ minor: 999, quantity: countedQuantity("x") }])).toBe(0);
  expect([countedQuantity("7"), countedQuantity(""), countedQuantity("1.5")]).toEqual([7, 0, 0]);
});

it("a price that was typed stays when another product is chosen; one of the catalogue follows", () => {
  const product = (amount: number) => ({ amount }) as Parameters<typeof priceAfter>[2];
  expect(priceAfter("19.00", product(19), product(29))).toBe("29.00");
  expect(priceAfter("15.00", product(19), product(29))).toBe("15.00");
  expect(priceAfter("", undefined, product(29))).toBe("29.00");
  expect(priceAfter("", product(19), product(29))).toBe("29.00");
  expect([priceAfter("15.00", undefined, product(29)), priceAfter("19.00", product(19), undefined)]).toEqual(["15.00", ""]);
  expect(priceAfter(19, product(19), product(29))).toBe("29.00");
});

it("a product is chosen by its name and its price, and a subscription's price is that of a period", () => {
  const product = { id: "prod_1", name: "Course", amount: 19, currency: "USD" };
  const of = (type: string) => choiceOf({ ...product, type } as Parameters<typeof choiceOf>[0]);
  expect(of("one_time")).toEqual({ value: "prod_1", label: "Course · $19.00" });
  expect(of("subscription")).toEqual({ value: "prod_1", label: `Course · $19.00${texts.links.perPeriod}` });
});

it("money is shown with the decimals of its currency", () => {
  expect([moneyText(19, "USD"), moneyText(1234.5, "USD"), moneyText(-5, "USD")]).toEqual(["$19.00", "$1,234.50", "-$5.00"]);
});

it("a shell takes a quoted text as one word, whatever is in it", () => {
  expect(shellQuote("it's; rm -rf $HOME")).toBe("'it'\\''s; rm -rf $HOME'");
});

describe("the check of a form", () => {
  const cart = { items: [{ stripe_product_id: "prod_1", unit_amount: 1900, quantity: 1 }], client_token: "t" };
  const faults = (body: object) => faultsOf("create-partner-processor-cart-payment-link", body);

  it("finds nothing in a good body, and names the field of each fault in a bad one", () => {
    expect(faults(cart)).toEqual({});
    expect(faults({ ...cart, items: [] })).toHaveProperty("items");
    expect(faults({ ...cart, items: [{ ...cart.items[0], quantity: 0 }] })["items.0.quantity"]).toContain("1");
    expect(faults({ ...cart, items: [{ ...cart.items[0], unit_amount: 20 }] })["items.0.unit_amount"]).toContain("0.5");
    expect(faults({ ...cart, items: [{ ...cart.items[0], unit_amount: "1,234" }] })["items.0.unit_amount"]).toBe(texts.form.unclearAmount);
    expect(faults({ client_token: "t" })).toEqual({ items: texts.form.required });
  });
});

describe("the days of a report", () => {
  it.each([
    ["net", [5, 0, -2]],
    ["gross", [6, 0, 3]],
    ["orders", [2, 0, 1]],
  ] as const)("are all there, each with its %s in the currency, also the empty ones", (measure, wanted) => {
    const rows = [
      { day: "2026-10-24", currency: "USD", net: 5, gross: 6, orders: 2 },
      { day: "2026-10-26", currency: "USD", net: -2, gross: 3, orders: 1 },
      { day: "2026-10-26", currency: "EUR", net: 7, gross: 8, orders: 9 },
    ];
    const days = daysOf({ from: "2026-10-24", to: "2026-10-26", rows }, "USD", measure);
    expect(days.map(({ value }) => value)).toEqual(wanted);
    expect(new Set(days.map(({ day }) => day)).size).toBe(3);
    expect(days[0]?.day).toMatch(/^(?:24 Oct|Oct 24)$/);
  });
});

it("what was sold is said with its quantities, by name where there is one", () => {
  const item = { product_id: "prod_1", name: "Course", quantity: 2 };
  expect(itemsText([item, { ...item, name: null, quantity: 1 }])).toBe("2 × Course, prod_1");
  expect(itemsText([])).toBe("");
});

describe("a time", () => {
  const format = inShownZone({ dateStyle: "short", timeStyle: "short" });
  it("is shown in the zone of the partner, from the moment that it is known", () => {
    noteZone("Asia/Tokyo");
    expect(format("2026-10-24T20:00:00Z")).toMatch(/25/);
    noteZone("UTC");
    expect([format("2026-10-24T20:00:00Z"), shownZone()]).toEqual([expect.stringMatching(/24/), "UTC"]);
  });
});

it("a day of a report is a date as people write it, of no other zone", () => {
  expect(dayText("2026-10-01")).toBe("Oct 1, 2026");
});

it("a cart is offered what goes with its other lines: the same currency, and paid in the same way", () => {
  const sold = (id: string, some: object = {}) =>
    ({ id, currency: "USD", type: "one_time", interval: null, interval_count: null, ...some }) as Parameters<typeof choiceOf>[0];
  const monthly = { type: "subscription", interval: "month", interval_count: 1 };
  const all = [
    sold("once"),
    sold("euro", { currency: "EUR" }),
    sold("monthly", monthly),
    sold("yearly", { ...monthly, interval: "year" }),
    sold("quarterly", { ...monthly, interval_count: 3 }),
    sold("monthly too", monthly),
  ];
  const beside = (id: string | null) =>
    offeredBeside(
      all,
      all.find((one) => one.id === id),
    ).map((one) => one.id);
  expect(beside(null)).toEqual(all.map(({ id }) => id));
  expect([beside("once"), beside("euro"), beside("yearly"), beside("quarterly")]).toEqual([["once"], ["euro"], ["yearly"], ["quarterly"]]);
  expect(beside("monthly")).toEqual(["monthly", "monthly too"]);
});

it("an amount in the name of a link has the code that stands beside it, once", () => {
  expect(moneyWithCode(19, "USD")).toBe(`${moneyText(19, "USD")} USD`);
  expect(moneyWithCode(19, "CHF")).toBe(moneyText(19, "CHF"));
});
