import { describe, expect, it } from "vitest";
import { cellCodeOf, newIdCode } from "../../src/core/cell-code.ts";
import { bodyOf } from "../../src/views/event-body.ts";
import { exampleMovement, paymentExample } from "../../src/views/transaction.ts";
import { AMOUNT_PATH, bankPaymentRefunded } from "../../src/webhooks/outbox/events/bank-payment-refunded.ts";
import { bankPaymentSucceeded } from "../../src/webhooks/outbox/events/bank-payment-succeeded.ts";
import { checkoutCompleted, checkoutEventId } from "../../src/webhooks/outbox/events/checkout-completed.ts";
import type { PartnerEvent } from "../../src/webhooks/outbox/events/define-event.ts";
import { allEvents } from "../../src/webhooks/outbox/events/index.ts";
import { paymentMethodRefused } from "../../src/webhooks/outbox/events/payment-method-refused.ts";
import { payoutRecorded } from "../../src/webhooks/outbox/events/payout-recorded.ts";
import { subscriptionEvents } from "../../src/webhooks/outbox/events/subscription-events.ts";
import { transactionEvents, viewDiscount } from "../../src/webhooks/outbox/events/transaction-events.ts";

const CODE = newIdCode(cellCodeOf(1));
const recipient = { partnerId: "acme", environment: "test" } as const;
const CREATED = Date.UTC(2026, 0, 1);

// interface W.3; docs/events.md has the names that partners know, and test/stack/documentation.test.ts compares them.
it("have a name of their own each", () => {
  expect(new Set(allEvents.map(({ name }) => name)).size).toBe(allEvents.length);
});

describe.each(allEvents)("$name", ({ name, schema, example }) => {
  it("has an example of its own shape, to the last field", () => {
    expect(schema.strict().parse(example)).toEqual(example);
    expect(example.event).toBe(name);
    expect(schema.safeParse({ ...example, id: `x${String(example.id)}` }).success).toBe(false);
    expect(schema.safeParse({ ...example, id: `${String(example.id)}x` }).success).toBe(false);
  });
});

const bodyAt = ({ id, name, payload, recipient: { environment } }: PartnerEvent) =>
  JSON.parse(bodyOf({ id, name, payload, environment, createdAt: CREATED }));

it("tells of a movement, once for each name and movement", async () => {
  const make = (id: string) =>
    transactionEvents.refundSucceeded.make(CODE, { ...exampleMovement, id, partnerId: "acme", environment: "test" });
  const event = await make("processor:txn_1");
  expect(event).toMatchObject({ name: "Processor.refund.succeeded", recipient, cause: "refund.succeeded:processor:txn_1" });
  expect(bodyAt(event)).toEqual({
    id: event.id,
    event: "Processor.refund.succeeded",
    environment: "test",
    created_at: "2026-01-01T00:00:00.000Z",
    transaction: { ...paymentExample, id: "processor:txn_1", environment: "test" },
  });
  expect(event.id).toMatch(/^evt_01[0-9a-f]{30}$/);
  expect((await make("processor:txn_1")).id).toBe(event.id);
  expect((await make("processor:txn_2")).id).not.toBe(event.id);
});

it("tells of a subscription, once or each time", async () => {
  const facts = {
    ...recipient,
    id: "sub_1",
    status: "active",
    cancelAtPeriodEnd: true,
    cancelAt: CREATED,
    currentPeriodEnd: null,
    collectionPaused: false,
    paymentLinkId: "plink_1",
    clientReferenceId: null,
    items: [{ productId: "prod_1", priceId: "price_1", quantity: 2 }],
  };
  const started = await subscriptionEvents.started.make(CODE, { ...facts, discriminator: null });
  const updated = await subscriptionEvents.updated.make(CODE, { ...facts, discriminator: "7" });
  expect(started.recipient).toEqual(recipient);
  expect([started.cause, updated.cause]).toEqual(["subscription.started:sub_1", "subscription.updated:sub_1:7"]);
  expect(bodyAt(started).subscription).toEqual({
    id: "sub_1",
    status: "active",
    cancel_at_period_end: true,
    cancel_at: "2026-01-01T00:00:00.000Z",
    current_period_end: null,
    collection_paused: false,
    payment_link_id: "plink_1",
    client_reference_id: null,
    items: [{ processor_product_id: "prod_1", processor_price_id: "price_1", quantity: 2 }],
  });
  const renewing = await subscriptionEvents.ended.make(CODE, { ...facts, cancelAt: null, currentPeriodEnd: CREATED, discriminator: null });
  expect(bodyAt(renewing).subscription).toMatchObject({
    cancel_at: null,
    current_period_end: "2026-01-01T00:00:00.000Z",
  });
});

it("tells of refused methods, once for each link", async () => {
  const event = await paymentMethodRefused.make(CODE, {
    ...recipient,
    paymentLinkId: "plink_1",
    refusedMethods: ["klarna"],
    coveredBy: { visa: "card" },
  });
  expect(event).toMatchObject({ recipient, cause: "payment_method.refused:plink_1" });
  expect(bodyAt(event)).toMatchObject({
    payment_link_id: "plink_1",
    refused_payment_method_types: ["klarna"],
    covered_by: { visa: "card" },
  });
});

it("tells of a ruble payment, once for each order, with null for the product of a cart (interface W.2)", async () => {
  const payment = { ...recipient, paymentId: 7, orderId: "o", amountKopecks: 500, externalOrderId: null, status: "CONFIRMED" };
  const event = await bankPaymentSucceeded.make(CODE, payment);
  expect(event).toMatchObject({ recipient, cause: "bank.payment.succeeded:o" });
  expect(bodyAt(event).Payment).toEqual({
    PaymentId: 7,
    OrderId: "o",
    Amount: 500,
    Status: "CONFIRMED",
    Data: { ep_order: null, ep_product_id: null },
  });
  await expect(bankPaymentSucceeded.make(CODE, { ...payment, status: "NEW" })).rejects.toThrow();
});

it("tells of each refund of a ruble payment once, and of its amount when it is booked", async () => {
  const refunded = { ...recipient, paymentId: 7, orderId: "o", amountKopecks: 500, externalOrderId: "order-1", movement: "refund:1" };
  const event = await bankPaymentRefunded.make(CODE, { ...refunded, status: "PARTIAL_REFUNDED" });
  expect(event).toMatchObject({ recipient, cause: "bank.payment.refunded:o:refund:1" });
  expect(bodyAt(event)).toMatchObject({
    Payment: { PaymentId: 7, OrderId: "o", Amount: 500, Status: "PARTIAL_REFUNDED", Data: { ep_order: "order-1" } },
    Refund: { Id: "o:refund:1", Amount: 0 },
  });
  const other = await bankPaymentRefunded.make(CODE, { ...refunded, movement: "refund:2", status: "REFUNDED" });
  expect([other.id === event.id, bodyAt(other).Payment.Status]).toEqual([false, "REFUNDED"]);
  expect(AMOUNT_PATH).toBe("$.Refund.Amount");
});

it("tells of a payout, which is of live data, once", async () => {
  const payout = { id: "po_1", partnerId: "acme", currency: "USD", amount: 12_50, date: "2026-11-05", bankReference: "B-7" };
  const event = await payoutRecorded.make(CODE, { ...payout, environment: "live" });
  expect(event).toMatchObject({ recipient: { partnerId: "acme", environment: "live" }, cause: "payout.recorded:po_1" });
  expect(bodyAt(event).payout).toEqual({ id: "po_1", currency: "USD", amount: 12.5, date: "2026-11-05", bank_reference: "B-7" });
});

it("a completed checkout that cost nothing is one event for each session, whatever is known of it", async () => {
  const facts = {
    ...recipient,
    sessionId: "cs_test_1",
    paymentLinkId: "plink_1",
    clientReferenceId: "order-1",
    amountTotal: 0,
    currency: "USD",
    items: [],
    promotionCode: "GIFT",
    promotionCodeId: "promo_1",
  };
  const event = await checkoutCompleted.make(CODE, facts);
  expect([event.cause, event.recipient]).toEqual(["checkout.completed:cs_test_1", recipient]);
  expect(await checkoutEventId(CODE, recipient, "cs_test_1")).toBe(event.id);
  expect(await checkoutEventId(CODE, recipient, "cs_test_2")).not.toBe(event.id);
  expect(JSON.parse(event.payload)).toEqual({
    checkout: {
      session_id: "cs_test_1",
      payment_link_id: "plink_1",
      client_reference_id: "order-1",
      amount_total: 0,
      currency: "USD",
      items: [],
      promotion_code: "GIFT",
      promotion_code_id: "promo_1",
    },
  });
});

it("a discount is in major units of its currency", () => {
  expect(viewDiscount({ amount: 1359, currency: "USD", promotionCode: "EXAMPLE", promotionCodeId: null })).toEqual({
    amount: 13.59,
    currency: "USD",
    promotion_code: "EXAMPLE",
    promotion_code_id: null,
  });
});
