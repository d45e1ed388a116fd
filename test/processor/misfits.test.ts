import type Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { CallBudget } from "../../src/core/call-budget.ts";
import { listEvents } from "../../src/processor/events.ts";
import { reportMisfits } from "../../src/processor/misfits.ts";

function misfitsOf(answer: unknown): string[] {
  const found: string[] = [];
  reportMisfits((object, path) => found.push(`${object} ${path}`), answer);
  return found;
}

const charge = {
  id: "ch_1",
  object: "charge",
  status: "succeeded",
  created: 1_790_000_000,
  description: null,
  payment_intent: "pi_1",
  balance_transaction: null,
  failure_balance_transaction: null,
};

describe("an answer of the processor", () => {
  it("that fits reports nothing, whatever else it has", () => {
    expect(misfitsOf({ ...charge, colour: "green" })).toEqual([]);
    expect(misfitsOf({ object: "something_new", id: 1 })).toEqual([]);
    expect(misfitsOf(null)).toEqual([]);
  });

  it.each([
    [{ status: "undecided" }, ["charge status"]],
    [{ description: 7 }, ["charge description"]],
    [{ id: undefined, payment_intent: {} }, ["charge id", "charge payment_intent"]],
  ])("that does not, %j, is reported by its path and without a value", (change, wanted) => {
    expect(misfitsOf({ ...charge, ...change })).toEqual(wanted);
  });

  it("has as many paths as it has fields, whatever is in its lists and its metadata", () => {
    const metadata = { "a@example.com": 1 };
    expect(misfitsOf({ object: "payment_intent", id: "pi_1", latest_charge: null, metadata })).toEqual(["payment_intent metadata"]);
    const opened = { reason: "general", created: 1, evidence_details: { due_by: null } };
    const paid = { charge: "ch_1", payment_intent: null, balance_transactions: [1, 2] };
    const dispute = { object: "dispute", id: "du_1", status: "lost", ...opened, ...paid };
    expect(misfitsOf(dispute)).toEqual(["dispute balance_transactions.[]", "dispute balance_transactions.[]"]);
  });

  it("is looked at entry by entry in a list", () => {
    const data = [charge, { ...charge, status: null }, { object: "refund" }];
    expect(misfitsOf({ object: "list", data })).toEqual(expect.arrayContaining(["charge status", "refund id", "refund amount"]));
  });
});

describe("a list of events", () => {
  const listed = (id: string, data: object) => ({ id, type: "charge.succeeded", livemode: false, created: 1, data });

  it("loses only those that cannot be read", async () => {
    const data = [listed("evt_1", { object: { id: "ch_1" } }), listed("evt_2", {}), listed("evt_3", { object: { id: "ch_3" } })];
    const stripe = { events: { list: () => Promise.resolve({ object: "list", data, has_more: false }) } } as unknown as Stripe;
    const reported: string[] = [];
    const report = (object: string, path: string) => reported.push(`${object} ${path}`);
    const budget = new CallBudget({ now: () => Date.now() }, 1_000);
    const { count, events } = await listEvents({ stripe, livemode: false, report }, ["charge.succeeded"], 0, 1, 100, { budget });
    // The count says whether the page was full.
    expect(count).toBe(3);
    expect(events.map(({ id, objectId }) => [id, objectId])).toEqual([
      ["evt_1", "ch_1"],
      ["evt_3", "ch_3"],
    ]);
    expect(reported).toEqual(["event data.object"]);
  });
});
