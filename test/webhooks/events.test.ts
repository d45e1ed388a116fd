import { describe, expect, it } from "vitest";
import { exampleMovement, paymentExample } from "../../src/views/transaction.ts";
import { bankPaymentSucceeded } from "../../src/webhooks/outbox/events/bank-payment-succeeded.ts";
import { allEvents } from "../../src/webhooks/outbox/events/index.ts";
import { paymentMethodRefused } from "../../src/webhooks/outbox/events/payment-method-refused.ts";
import { subscriptionEvents } from "../../src/webhooks/outbox/events/subscription-events.ts";
import { transactionEvents } from "../../src/webhooks/outbox/events/transaction-events.ts";

const recipient = { partnerId: "acme", environment: "test" } as const;
const CREATED = Date.UTC(2026, 0, 1);

/** The names that partners know; one that is missing here or there is a promise broken. */
const NAMES = [
  "Processor.payment.succeeded",
  "Processor.payment.pending",
  "Processor.payment.failed",
  "Processor.refund.succeeded",
  "Processor.refund.failed",
  "Processor.dispute.opened",
  "Processor.dispute.won",
  "Processor.dispute.lost",
  "Processor.subscription.started",
  "Processor.subscription.updated",
  "Processor.subscription.ended",
  "Processor.payment_method.refused",
  "Bank.payment.succeeded",
];

it("are these, each once", () => {
  expect(allEvents.map(({ name }) => name)).toEqual(NAMES);
});

describe.each(allEvents)("$name", ({ name, schema, example }) => {
  it("has an example of its own shape, to the last field", () => {
    expect(schema.strict().parse(example)).toEqual(example);
    expect(example.event).toBe(name);
    expect(schema.safeParse({ ...example, id: `x${String(example.id)}` }).success).toBe(false);
    expect(schema.safeParse({ ...example, id: `${String(example.id)}x` }).success).toBe(false);
  });
});

it("tells of a movement, once for each name and movement", () => {
  const make = (id: string) => transactionEvents.refundSucceeded.make({ ...exampleMovement, id, partnerId: "acme", environment: "test" });
  const event = make("processor:txn_1");
  expect(event).toMatchObject({ name: "Processor.refund.succeeded", recipient, deduplicationKey: "refund.succeeded:processor:txn_1" });
  expect(JSON.parse(event.bodyAt(CREATED))).toEqual({
    id: event.id,
    event: "Processor.refund.succeeded",
    environment: "test",
    created_at: "2026-01-01T00:00:00.000Z",
    transaction: { ...paymentExample, id: "processor:txn_1", environment: "test" },
  });
  expect(event.id).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(make("processor:txn_1").id).not.toBe(event.id);
  expect(make("processor:txn_2").deduplicationKey).not.toBe(event.deduplicationKey);
});

it("tells of a subscription, once or each time", () => {
  const facts = { ...recipient, id: "sub_1", status: "active", cancelAtPeriodEnd: true, cancelAt: CREATED, currentPeriodEnd: null };
  const started = subscriptionEvents.started.make({ ...facts, discriminator: null });
  const updated = subscriptionEvents.updated.make({ ...facts, discriminator: "7" });
  expect(started.recipient).toEqual(recipient);
  expect([started.deduplicationKey, updated.deduplicationKey]).toEqual(["subscription.started:sub_1", "subscription.updated:sub_1:7"]);
  expect(JSON.parse(started.bodyAt(CREATED)).subscription).toEqual({
    id: "sub_1",
    status: "active",
    cancel_at_period_end: true,
    cancel_at: "2026-01-01T00:00:00.000Z",
    current_period_end: null,
  });
  const renewing = subscriptionEvents.ended.make({ ...facts, cancelAt: null, currentPeriodEnd: CREATED, discriminator: null });
  expect(JSON.parse(renewing.bodyAt(CREATED)).subscription).toMatchObject({
    cancel_at: null,
    current_period_end: "2026-01-01T00:00:00.000Z",
  });
});

it("tells of refused methods, once for each link", () => {
  const event = paymentMethodRefused.make({ ...recipient, paymentLinkId: "plink_1", refusedMethods: ["klarna"] });
  expect(event).toMatchObject({ recipient, deduplicationKey: "payment_method.refused:plink_1" });
  expect(JSON.parse(event.bodyAt(CREATED))).toMatchObject({ payment_link_id: "plink_1", refused_payment_method_types: ["klarna"] });
});

it("tells of a ruble payment, once for each order, with null for the product of a cart (interface W.2)", () => {
  const payment = { ...recipient, paymentId: 7, orderId: "o", amountKopecks: 500, externalOrderId: null, status: "CONFIRMED" };
  const event = bankPaymentSucceeded.make(payment);
  expect(event).toMatchObject({ recipient, deduplicationKey: "bank.payment.succeeded:o" });
  expect(JSON.parse(event.bodyAt(CREATED)).Payment).toEqual({
    PaymentId: 7,
    OrderId: "o",
    Amount: 500,
    Status: "CONFIRMED",
    Data: { ep_order: null, ep_product_id: null },
  });
  expect(() => bankPaymentSucceeded.make({ ...payment, status: "NEW" })).toThrow();
});
