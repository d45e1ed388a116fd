import { describe, expect, it } from "vitest";
import { cellCodeOf, newIdCode } from "../../src/core/cell-code.ts";
import { disputeExample, disputeSchema, viewDispute } from "../../src/views/dispute.ts";
import { exampleMovement, viewTransaction } from "../../src/views/transaction.ts";
import { checkoutExpired } from "../../src/webhooks/outbox/events/checkout-expired.ts";
import { disputeEvidenceDue } from "../../src/webhooks/outbox/events/dispute-evidence-due.ts";
import { transactionEvents, viewDiscount } from "../../src/webhooks/outbox/events/transaction-events.ts";

/** What partners see of a dispute, in a list and in events, and of a checkout that ended unpaid. */

const CODE = newIdCode(cellCodeOf(1));
const DAY = 86_400_000;
const DUE = Date.UTC(2026, 11, 16, 12);
const dispute = { id: "du_1", status: "needs_response", reason: "duplicate", amount: 1950, currency: "EUR", evidenceDueBy: DUE };
const recipient = { partnerId: "acme", environment: "live" } as const;

it("a dispute has its state, its amount in major units, and its deadline", () => {
  expect(viewDispute(dispute)).toEqual({
    id: "du_1",
    state: "needs_response",
    is_inquiry: false,
    reason: "duplicate",
    amount: 19.5,
    currency: "EUR",
    evidence_due_by: "2026-12-16T12:00:00.000Z",
  });
  expect(viewDispute({ ...dispute, status: "warning_closed", currency: "JPY", evidenceDueBy: null })).toMatchObject({
    state: "closed",
    is_inquiry: true,
    amount: 1950,
    evidence_due_by: null,
  });
  expect(disputeSchema.parse(disputeExample)).toEqual(disputeExample);
});

describe("the notice of a deadline", () => {
  const facts = { ...recipient, ...dispute, paymentIntentId: "pi_1", clientReferenceId: "order-7", stage: 10, now: DUE - 9.5 * DAY };
  const make = (more: object = {}) => disputeEvidenceDue.make(CODE, { ...facts, ...more });
  const shown = async (more: object = {}) => JSON.parse((await make(more)).payload);

  it.each([
    [10, 10, "10 days"],
    [2, 2, "2 days"],
    [1.99, 1, "one day"],
    [1, 1, "one day"],
    [0.99, 0, "less than a day"],
  ])("%d days before it says %d: %s", async (before, days, words) => {
    const { days_left, says } = await shown({ now: DUE - before * DAY });
    expect([days_left, says]).toEqual([
      days,
      `A customer disputes 19.50 EUR of order order-7 (duplicate). Evidence is due in ${words}, by 2026-12-16T12:00:00.000Z: send it to support.`,
    ]);
  });

  it("names the payment without an order number, and the dispute without a payment", async () => {
    expect((await shown({ clientReferenceId: null })).says).toContain("19.50 EUR of pi_1 (duplicate)");
    expect((await shown({ clientReferenceId: null, paymentIntentId: null })).says).toContain("19.50 EUR of du_1 (duplicate)");
  });

  it("has the dispute and the ids of its order, for the dispute's partner", async () => {
    expect(await shown()).toMatchObject({ dispute: viewDispute(dispute), payment_intent_id: "pi_1", client_reference_id: "order-7" });
    expect((await make()).recipient).toEqual(recipient);
  });

  it("is one for each deadline and stage", async () => {
    const { id, cause } = await make();
    expect(cause).toBe(`dispute.evidence_due:du_1:${DUE}:10`);
    expect((await make({ now: 0, status: "lost" })).id).toBe(id);
    for (const other of [{ stage: 2 }, { evidenceDueBy: DUE + 1 }, { id: "du_2" }]) expect((await make(other)).id).not.toBe(id);
  });

  it("goes to chat and e-mail, and so does a new dispute; its end goes to webhooks alone", async () => {
    const people = ["chat", "telegram", "email"];
    expect([(await make()).channels, transactionEvents.disputeOpened.channels]).toEqual([people, people]);
    expect([transactionEvents.disputeWon.channels, transactionEvents.disputeLost.channels]).toEqual([[], []]);
  });
});

it.each(["disputeOpened", "disputeWon", "disputeLost"] as const)(
  "the event %s has its dispute, or null if it was not shown",
  async (name) => {
    const make = (of: typeof dispute | null) =>
      transactionEvents[name].make(CODE, { ...exampleMovement, ...recipient, discount: null, dispute: of });
    expect(JSON.parse((await make(dispute)).payload).dispute).toEqual(viewDispute(dispute));
    expect(JSON.parse((await make(null)).payload).dispute).toBeNull();
    expect((await make(dispute)).recipient).toEqual(recipient);
  },
);

it("a payment's event goes to its partner, with the movement, and with its discount or null", async () => {
  const discount = { amount: 500, currency: "EUR", promotionCode: "A", promotionCodeId: "promo_1" };
  const make = (of: typeof discount | null) =>
    transactionEvents.paymentSucceeded.make(CODE, { ...exampleMovement, ...recipient, discount: of, dispute: null });
  expect((await make(null)).recipient).toEqual(recipient);
  expect(JSON.parse((await make(null)).payload)).toEqual({
    transaction: viewTransaction({ ...exampleMovement, ...recipient }),
    discount: null,
  });
  expect(JSON.parse((await make(discount)).payload).discount).toEqual(viewDiscount(discount));
});

it("a checkout that ended unpaid is one event for its session, with what it would have cost", async () => {
  const facts = { ...recipient, sessionId: "cs_1", paymentLinkId: "plink_1", clientReferenceId: "order-7", expiredAt: DUE };
  const event = await checkoutExpired.make(CODE, { ...facts, amountTotal: 1950, currency: "EUR" });
  expect([event.cause, event.recipient, event.channels]).toEqual(["checkout.expired:cs_1", recipient, []]);
  expect(JSON.parse(event.payload).checkout).toEqual({
    session_id: "cs_1",
    payment_link_id: "plink_1",
    client_reference_id: "order-7",
    amount_total: 19.5,
    currency: "EUR",
    expired_at: "2026-12-16T12:00:00.000Z",
  });
});
