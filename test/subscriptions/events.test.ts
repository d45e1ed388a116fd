import { beforeAll, beforeEach, expect, it } from "vitest";
import { call, callV1, keys, LINK, link, REGISTER, send } from "../support/api.ts";
import { pay, quiet, receivedEvents } from "../support/payments.ts";
import { control, SANDBOX, world } from "../support/stack.ts";

beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/subscriptions` }));
beforeEach(() => control("/events", { environment: "test", hold: false, duplicate: 1, shuffle: true }));

/** The partner's events about a subscription, in the order of its making. */
function story(id: string): unknown[] {
  return receivedEvents("subscriptions")
    .filter(({ subscription }) => subscription?.id === id)
    .toSorted((left, right) => left.created_at.localeCompare(right.created_at))
    .map(({ event, subscription }) => [
      event.replace("Processor.subscription.", ""),
      subscription.status,
      subscription.cancel_at_period_end,
    ]);
}

async function cancel(subscription: string | undefined, wanted: boolean): Promise<void> {
  const answer = await send(`/webhook/cancel_subscription_at_period_end?subscription_id=${subscription}`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Partner-Api-Key": keys.acme },
    body: `cancel_at_period_end=${wanted}`,
  });
  expect(answer.status).toBe(200);
  await quiet();
}

// interface W.3
it("a subscription's start, each change of its end, and its end have one event each", async () => {
  const { subscription = "" } = await pay(["TestMonthly"], { client_reference_id: "order-of-a-subscription" });
  await quiet();
  await expect.poll(() => story(subscription)).toEqual([["started", "active", false]]);
  await control("/renew", { subscription });
  await quiet();
  for (const wanted of [true, true, false, true]) await cancel(subscription, wanted);
  await control("/end-subscription", { subscription });
  await quiet();
  const whole = [
    ["started", "active", false],
    ["updated", "active", true],
    ["updated", "active", false],
    ["updated", "active", true],
    ["ended", "canceled", true],
  ];
  await expect.poll(() => story(subscription)).toEqual(whole);
  const references = receivedEvents("subscriptions").flatMap(({ subscription: of }) =>
    of?.id === subscription ? [of.client_reference_id] : [],
  );
  expect(new Set(references)).toEqual(new Set(["order-of-a-subscription"]));
  const scheduled = receivedEvents("subscriptions").find(
    ({ event, subscription: of }) => event.endsWith("updated") && of.id === subscription && of.cancel_at_period_end,
  );
  expect(scheduled).toEqual({
    id: expect.stringMatching(/^evt_/),
    event: "Processor.subscription.updated",
    environment: "test",
    created_at: expect.any(String),
    subscription: {
      id: subscription,
      status: "active",
      cancel_at_period_end: true,
      cancel_at: scheduled?.subscription.current_period_end,
      current_period_end: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      collection_paused: false,
      payment_link_id: expect.stringMatching(/^plink_/),
      client_reference_id: "order-of-a-subscription",
      items: [{ processor_product_id: "prod_acmeTestMonthly", processor_price_id: expect.stringMatching(/^price_/), quantity: 1 }],
    },
  });
});

it("a trial is a start, and its first payment a change", async () => {
  const { body } = await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900, trial_days: 7 } }));
  const order = { short_url: body.short_url, client_reference_id: "order-of-a-trial" };
  const { subscription } = await control<{ subscription: string }>("/pay", order);
  await quiet();
  await expect.poll(() => story(subscription)).toEqual([["started", "trialing", false]]);
  // A renewal alone leads to no checkout: what is stored of it counts.
  await control("/renew", { subscription });
  await quiet();
  await expect
    .poll(() => story(subscription))
    .toEqual([
      ["started", "trialing", false],
      ["updated", "active", false],
    ]);
  const last = receivedEvents("subscriptions").findLast(({ subscription: of }) => of?.id === subscription);
  expect(last?.subscription).toMatchObject({ client_reference_id: "order-of-a-trial", payment_link_id: expect.stringMatching(/^plink_/) });
});

it("a subscription whose first payment failed has not begun", async () => {
  // One whose payment fails on the checkout does not exist at all. It may become incomplete in other ways.
  expect(await pay(["TestMonthly"], { outcome: "failed" })).not.toHaveProperty("subscription");
  await control("/events", { environment: "test", hold: true });
  const { subscription = "" } = await pay(["TestMonthly"]);
  const stored = world.state.objects[subscription];
  if (stored !== undefined) stored.status = "incomplete";
  await control("/events", { environment: "test", hold: false });
  await quiet();
  expect(story(subscription)).toEqual([]);
  if (stored !== undefined) stored.status = "active";
  await cancel(subscription, true);
  await expect.poll(() => story(subscription)).toEqual([["started", "active", true]]);
});
