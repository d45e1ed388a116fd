import { beforeAll, expect, it } from "vitest";
import { call, REGISTER } from "../support/api.ts";
import { pay, quiet, receivedEvents } from "../support/payments.ts";
import { control, SANDBOX } from "../support/stack.ts";

const INBOX = "renewals";
beforeAll(async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/${INBOX}` });
  await control("/events", { environment: "test", hold: false, duplicate: 2, shuffle: true });
});

/** A new subscription that has begun, and whose first payment and start were delivered. */
async function begun(): Promise<string> {
  const { subscription = "" } = await pay(["TestMonthly"], { client_reference_id: "order-renewed" });
  await quiet();
  await expect.poll(() => told(subscription)).toEqual(["payment.succeeded", "subscription.started active"]);
  return subscription;
}

/** The partner's events about a subscription and its payments, each with the subscription's status, in order of their names. */
function told(id: string): string[] {
  return receivedEvents(INBOX)
    .filter(({ subscription, transaction }) => subscription?.id === id || transaction?.subscription_id === id)
    .map(({ event, subscription }) => `${event.replace("Processor.", "")} ${subscription?.status ?? ""}`.trim())
    .toSorted();
}

/** A field of the subscription in each of its updates, each event once, oldest first. */
function updatesOf(id: string, field: string): unknown[] {
  const updates = receivedEvents(INBOX).filter(
    ({ event, subscription }) => event.endsWith("subscription.updated") && subscription?.id === id,
  );
  return [...new Map(updates.map((update) => [update.id, update.subscription[field]])).values()];
}

async function renewed(subscription: string, how: object = {}): Promise<void> {
  await control("/renew", { subscription, ...how });
  await quiet();
}

const BEGUN = ["payment.succeeded", "subscription.started active"];

it.each(["credit", "elsewhere"])("a renewal that is settled by %s has one event for each period", async (outcome) => {
  const subscription = await begun();
  await renewed(subscription, { outcome });
  await expect.poll(() => told(subscription)).toEqual([...BEGUN, "subscription.updated active"]);
  await renewed(subscription, { outcome });
  await expect.poll(() => told(subscription)).toEqual([...BEGUN, "subscription.updated active", "subscription.updated active"]);
  const ends = receivedEvents(INBOX).flatMap(({ subscription: of }) => (of?.id === subscription ? [of.current_period_end] : []));
  expect(new Set(ends).size).toBe(3);
});

it("a renewal that is paid has the event of its payment alone", async () => {
  const subscription = await begun();
  await renewed(subscription);
  await expect.poll(() => told(subscription)).toEqual(["payment.succeeded", ...BEGUN]);
});

it.each(["past_due", "unpaid"])("a renewal that fails changes the status to %s, and a later payment changes it back", async (status) => {
  const subscription = await begun();
  await renewed(subscription, { outcome: "failed", status });
  await expect.poll(() => told(subscription)).toContain(`subscription.updated ${status}`);
  if (status === "unpaid") return;
  await renewed(subscription);
  await expect
    .poll(() => told(subscription).filter((event) => !event.includes("failed")))
    .toEqual(["payment.succeeded", ...BEGUN, "subscription.updated active", `subscription.updated ${status}`]);
});

it("a renewal that fails may end the subscription", async () => {
  const subscription = await begun();
  await renewed(subscription, { outcome: "failed", status: "canceled" });
  await expect.poll(() => told(subscription)).toContain("subscription.ended canceled");
  expect(told(subscription)).not.toContain("subscription.updated canceled");
});

it("an end that is scheduled for a moment is told with the moment", async () => {
  const subscription = await begun();
  const at = Math.floor(Date.now() / 1_000) + 86_400;
  await control("/cancel-at", { subscription, at });
  await quiet();
  await expect.poll(() => told(subscription)).toEqual([...BEGUN, "subscription.updated active"]);
  const last = receivedEvents(INBOX).findLast(({ event, subscription: of }) => of?.id === subscription && event.endsWith("updated"));
  expect(last?.subscription).toMatchObject({ cancel_at_period_end: false, cancel_at: new Date(at * 1_000).toISOString() });
});

it("a collection that is paused and goes on has an event for each", async () => {
  const subscription = await begun();
  await control("/pause", { subscription });
  await expect.poll(() => updatesOf(subscription, "collection_paused")).toEqual([true]);
  await control("/pause", { subscription, paused: false });
  await expect.poll(() => updatesOf(subscription, "collection_paused")).toEqual([true, false]);
  await control("/pause", { subscription, paused: false });
  await quiet();
  expect(told(subscription)).toEqual([...BEGUN, "subscription.updated active", "subscription.updated active"]);
});

it("another quantity has an event with the items", async () => {
  const subscription = await begun();
  await control("/quantity", { subscription, quantity: 3 });
  await expect.poll(() => updatesOf(subscription, "items")).toMatchObject([[{ quantity: 3 }]]);
  await control("/quantity", { subscription, quantity: 3 });
  await quiet();
  expect(updatesOf(subscription, "items")).toHaveLength(1);
});
