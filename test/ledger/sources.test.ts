import { describe, expect, it } from "vitest";
import {
  knownIdPrefixes,
  reconciledEventTypes,
  SUBSCRIPTION_MISSING,
  sentEventTypes,
  sourceOf,
  sourceOfId,
  TRANSACTION_MISSING,
} from "../../src/ledger/sources.ts";
import type { Source } from "../../src/processor/facts.ts";

/** Every event that means something, and what it leads to. */
const KINDS: Readonly<Record<string, Source["kind"]>> = {
  "charge.succeeded": "charge",
  "charge.pending": "charge",
  "charge.failed": "charge",
  "charge.updated": "charge",
  "refund.created": "refund",
  "refund.updated": "refund",
  "refund.failed": "refund",
  "charge.refund.updated": "refund",
  "checkout.session.expired": "checkout_session",
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
  "checkout.session.completed": "checkout_session",
  "checkout.session.async_payment_succeeded": "checkout_session",
  "checkout.session.async_payment_failed": "checkout_session",
  "invoice.paid": "invoice",
  [TRANSACTION_MISSING]: "balance_transaction",
  [SUBSCRIPTION_MISSING]: "subscription",
};

describe("an event leads to", () => {
  it.each(Object.entries(KINDS))("%s: its own %s", (type, kind) => {
    expect(sourceOf({ type, objectId: "id_1" })).toEqual({ kind, id: "id_1" });
  });

  it("any other: nothing", () => {
    for (const type of ["customer.created", "payment_intent.created", ""]) expect(sourceOf({ type, objectId: "id_1" })).toBeNull();
  });
});

it("reconciles every type that no other one repeats, at most 20 in one request of the processor", () => {
  const repeated = /^(payment_intent\.|charge\.refund\.updated|checkout\.session\.(async_|expired))|\.missing$/;
  const wanted = Object.keys(KINDS).filter((type) => !repeated.test(type));
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
  ["cs_test_1", "checkout_session"],
  ["in_1", "invoice"],
  ["sub_1A_b", "subscription"],
])("knows %s as a %s", (id, kind) => {
  expect(sourceOfId(id)).toEqual({ kind, id });
});

it.each(["", "ch", "ch_", "plink_1", "CH_1", "ch_1'", "xch_1", "1ch_1", "Äch_1"])("knows %j as nothing", (id) => {
  expect(sourceOfId(id)).toBeNull();
});

it("the processor is to send what is reconciled, and checkouts that ended unpaid", () => {
  expect(sentEventTypes).toEqual([...reconciledEventTypes, "checkout.session.expired"]);
});

it("names the beginnings of the ids that it knows", () => {
  expect(knownIdPrefixes()).toEqual(["ch_", "py_", "pi_", "re_", "pyr_", "du_", "dp_", "txn_", "cs_", "in_", "sub_"]);
});
