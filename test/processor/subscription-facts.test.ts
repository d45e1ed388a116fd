import type Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { retrieveSubscription } from "../../src/processor/subscriptions.ts";

const MONTHLY = { interval: "month", interval_count: 1, usage_type: "licensed" };
const price = (id: string, overrides: object = {}) => ({
  id,
  product: "prod_1",
  currency: "eur",
  unit_amount: 900,
  recurring: MONTHLY,
  ...overrides,
});
const item = (of: object, quantity?: number) => ({ price: of, quantity, current_period_end: 30 });

/** What is read of a subscription that the processor answers with these items. */
async function factsOf(items: readonly object[], overrides: object = {}) {
  const answer = {
    id: "sub_1",
    object: "subscription",
    status: "active",
    created: 1,
    ended_at: null,
    cancel_at_period_end: false,
    cancel_at: null,
    pause_collection: null,
    currency: "usd",
    metadata: {},
    items: { object: "list", data: items },
    ...overrides,
  };
  const stripe = { subscriptions: { retrieve: () => Promise.resolve(answer) } } as unknown as Stripe;
  return retrieveSubscription({ stripe, ask: (call) => call({ timeout: 1 }) }, "sub_1");
}

describe("what a subscription costs, as the processor answers it", () => {
  it("is the price of each item, in the currency of the prices, for their period", async () => {
    const { items, currency, interval, intervalCount } = await factsOf([
      item(price("price_1"), 2),
      item(price("price_2", { unit_amount: 100 })),
    ]);
    expect(items).toEqual([
      { productId: "prod_1", priceId: "price_1", quantity: 2, unitAmount: 900 },
      { productId: "prod_1", priceId: "price_2", quantity: 1, unitAmount: 100 },
    ]);
    expect([currency, interval, intervalCount]).toEqual(["EUR", "month", 1]);
  });

  it.each([
    ["tiered", { unit_amount: null }],
    ["metered", { recurring: { ...MONTHLY, usage_type: "metered" } }],
  ])("is not known of a %s price", async (_kind, overrides) => {
    expect((await factsOf([item(price("price_1", overrides))])).items[0]?.unitAmount).toBeNull();
  });

  it.each([{ interval: "year" }, { interval_count: 3 }])("has no period where that of an item is another: %j", async (other) => {
    const mixed = await factsOf([item(price("price_1")), item(price("price_2", { recurring: { ...MONTHLY, ...other } }))]);
    expect([mixed.interval, mixed.intervalCount]).toEqual([null, null]);
  });

  it("has the currency of the subscription where no item is listed", async () => {
    expect(await factsOf([])).toMatchObject({ items: [], currency: "USD", interval: null, intervalCount: null, currentPeriodEnd: null });
  });
});
