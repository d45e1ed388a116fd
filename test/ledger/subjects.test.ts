import { describe, expect, it } from "vitest";
import { reconciledEventTypes, type Subject, subjectOf, subjectOfId, TRANSACTION_MISSING } from "../../src/ledger/subjects.ts";

const event = (type: string, object: object = {}) => ({ type, objectId: "id_1", payload: JSON.stringify({ data: { object } }) });

/** Every event that means something, and what it is about. */
const KINDS: Readonly<Record<string, Subject["kind"]>> = {
  "charge.succeeded": "charge",
  "charge.pending": "charge",
  "charge.failed": "charge",
  "charge.updated": "charge",
  "refund.created": "refund",
  "refund.updated": "refund",
  "refund.failed": "refund",
  "charge.refund.updated": "refund",
  "charge.dispute.created": "dispute",
  "charge.dispute.updated": "dispute",
  "charge.dispute.closed": "dispute",
  "charge.dispute.funds_withdrawn": "dispute",
  "charge.dispute.funds_reinstated": "dispute",
  "customer.subscription.created": "subscription",
  "customer.subscription.updated": "subscription",
  "customer.subscription.deleted": "subscription",
  "payment_intent.succeeded": "payment_intent",
  "payment_intent.processing": "payment_intent",
  [TRANSACTION_MISSING]: "balance_transaction",
};

describe("an event is about", () => {
  it.each(Object.entries(KINDS))("%s: its own %s", (type, kind) => {
    expect(subjectOf(event(type))).toEqual({ kind, id: "id_1" });
  });

  it.each(["checkout.session.completed", "checkout.session.async_payment_succeeded", "checkout.session.async_payment_failed"])(
    "%s: the session's subscription, else its payment",
    (type) => {
      expect(subjectOf(event(type, { subscription: "sub_1", payment_intent: "pi_1" }))).toEqual({ kind: "subscription", id: "sub_1" });
      expect(subjectOf(event(type, { subscription: null, payment_intent: "pi_1" }))).toEqual({ kind: "payment_intent", id: "pi_1" });
      expect(subjectOf(event(type))).toEqual({ kind: "nothing" });
    },
  );

  it("invoice.paid: the invoice's subscription", () => {
    expect(subjectOf(event("invoice.paid", { parent: { subscription_details: { subscription: "sub_1" } } }))).toEqual({
      kind: "subscription",
      id: "sub_1",
    });
    for (const parent of [null, {}, { subscription_details: null }]) {
      expect(subjectOf(event("invoice.paid", { parent }))).toEqual({ kind: "nothing" });
    }
  });

  it("any other: nothing", () => {
    for (const type of ["customer.created", "payment_intent.created", ""]) expect(subjectOf(event(type))).toEqual({ kind: "nothing" });
  });
});

it("reconciles every type that no other one repeats, at most 20 in one request of the processor", () => {
  const repeated = ["payment_intent.succeeded", "payment_intent.processing", "charge.refund.updated", TRANSACTION_MISSING];
  const wanted = [...Object.keys(KINDS).filter((type) => !repeated.includes(type)), "checkout.session.completed", "invoice.paid"];
  expect(reconciledEventTypes.toSorted()).toEqual(wanted.toSorted());
  expect(reconciledEventTypes.length).toBeLessThanOrEqual(20);
});

it.each([
  ["ch_1", "charge"],
  ["py_1", "charge"],
  ["re_1", "refund"],
  ["pyr_1", "refund"],
  ["du_1", "dispute"],
  ["dp_1", "dispute"],
  ["pi_1", "payment_intent"],
  ["txn_1", "balance_transaction"],
  ["sub_1A_b", "subscription"],
])("knows %s as a %s", (id, kind) => {
  expect(subjectOfId(id)).toEqual({ kind, id });
});

it.each(["", "ch", "ch_", "plink_1", "CH_1", "ch_1'", "xch_1", "1ch_1", "Äch_1"])("knows %j as nothing", (id) => {
  expect(subjectOfId(id)).toEqual({ kind: "nothing" });
});
