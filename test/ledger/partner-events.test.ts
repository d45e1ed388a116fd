import { describe, expect, it } from "vitest";
import { cellCodeOf, DIRECTORY, newIdCode } from "../../src/core/cell-code.ts";
import type { Attribution } from "../../src/ledger/attribution.ts";
import { type Movement, movementId, transactionIdOf } from "../../src/ledger/movement.ts";
import { partnerEventsOf } from "../../src/ledger/partner-events.ts";
import { exampleMovement } from "../../src/views/transaction.ts";

const movement = (type: Movement["type"], status: Movement["status"], overrides: Partial<Movement> = {}): Movement => ({
  ...exampleMovement,
  partnerId: "acme",
  subscriptionId: null,
  sourceId: null,
  availableAt: null,
  type,
  status,
  ...overrides,
});
const SEEN = {
  id: "du_1",
  status: "needs_response",
  reason: "fraudulent",
  created: 0,
  evidenceDueBy: Date.UTC(2026, 10, 20),
  amount: 1900,
  currency: "USD",
  transactions: [],
};
const dispute = (outcome: "won" | "lost" | null) => ({
  dispute: { ...SEEN, outcome },
  discount: null,
});
const ACME: Attribution = { partnerId: "acme", databaseName: cellCodeOf(1), idCode: newIdCode(cellCodeOf(1)), held: [], why: null };
const NOBODY: Attribution = { partnerId: null, databaseName: DIRECTORY, why: "unknown" };
const names = (movements: readonly Movement[], outcome: "won" | "lost" | null = null, owner: Attribution = ACME) =>
  partnerEventsOf(owner, movements, dispute(outcome)).then((caused) => caused.map(({ event }) => event.name.replace("Processor.", "")));

describe("a movement's events", () => {
  it.each<[Movement["type"], Movement["status"], readonly string[]]>([
    ["processor_payment_in", "completed", ["payment.succeeded"]],
    ["processor_payment_in", "pending", ["payment.pending"]],
    ["processor_payment_in", "failed", ["payment.failed"]],
    ["processor_refund", "refunded", ["refund.succeeded"]],
    ["processor_refund", "failed", ["refund.failed"]],
    ["processor_refund", "pending", []],
    ["processor_dispute_freeze", "disputed", ["dispute.opened"]],
    ["processor_dispute_return", "completed", []],
    ["processor_payment_failure", "failed", []],
    ["processor_refund_failure", "failed", []],
    [null, "completed", []],
  ])("%s, %s: %j", async (type, status, wanted) => {
    expect(await names([movement(type, status)])).toEqual(wanted);
  });

  it("of a dispute follow its outcome", async () => {
    const freeze = movement("processor_dispute_freeze", "disputed");
    const back = movement("processor_dispute_return", "dispute_won", { id: "processor:txn_back" });
    expect(await names([freeze], "lost")).toEqual(["dispute.opened", "dispute.lost"]);
    expect(await names([freeze, back], "won")).toEqual(["dispute.opened", "dispute.won"]);
    expect(await names([freeze, back], "lost")).toEqual(["dispute.opened", "dispute.lost"]);
  });

  it("of a dispute with several transactions are those of the earliest; of one second, of the smallest id", async () => {
    const at = (id: string, transactionDate: number) => movement("processor_dispute_freeze", "disputed", { id, transactionDate });
    const events = await partnerEventsOf(ACME, [at("b", 2), at("c", 1), at("a", 3)], dispute(null));
    expect(events.map(({ movement: cause }) => cause.id)).toEqual(["c"]);
    expect((await partnerEventsOf(ACME, [at("b", 1), at("a", 1)], dispute(null))).map(({ movement: cause }) => cause.id)).toEqual(["a"]);
  });

  it("are none without a known owner", async () => {
    expect(await names([movement("processor_payment_in", "completed", { partnerId: null })], null, NOBODY)).toEqual([]);
  });
});

it("names a movement after its balance transaction, and back (interface P.1)", () => {
  expect(movementId("txn_1")).toBe("processor:txn_1");
  expect(transactionIdOf("processor:txn_1")).toBe("txn_1");
  expect(transactionIdOf("txn_processor:1")).toBe("txn_processor:1");
});
