import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disputes, payouts } from "../../src/db/schema/index.ts";
import { DAY, MINUTE, pass, realTime } from "../support/later.ts";
import { change, ops } from "../support/ops.ts";
import { emptyTables, insertRow, updateRows } from "../support/tables.ts";

beforeEach(() => emptyTables(disputes, payouts));
afterEach(realTime);

const waiting = async (kind: string) => (await ops("waiting")).body.data.find((one: { kind: string }) => one.kind === kind);

describe("what waits for an operator: payouts", () => {
  it("are counted until a second operator has approved them, or they were taken back", async () => {
    const kind = "Payouts to approve";
    expect(await waiting(kind)).toMatchObject({ count: 0, oldest: null });
    const payout = { currency: "USD", amount: 12, date: "2026-11-02" };
    const enter = async (bank_reference: string) => (await change("partners/acme/payouts", { ...payout, bank_reference })).body;
    const [first, second] = [await enter("ONE"), await enter("TWO")];
    expect(await waiting(kind)).toEqual({ kind, count: 2, oldest: expect.any(String), command: "payouts list --state waiting" });
    await change(`payouts/${first.id}/reverse`, { reason: "entered twice" });
    expect(await waiting(kind)).toMatchObject({ count: 1 });
    await updateRows(payouts, { state: "recorded" }, { id: second.id });
    expect(await waiting(kind)).toMatchObject({ count: 0, oldest: null });
  });
});

describe("what waits for an operator: disputes", () => {
  const kind = "Disputes to answer at the processor";
  const made = (id: string, fields: object = {}) =>
    insertRow(disputes, {
      id,
      partner_id: "acme",
      environment: "live",
      payment_intent_id: "pi_1",
      client_reference_id: null,
      amount: 1900,
      currency: "USD",
      reason: "fraudulent",
      status: "needs_response",
      evidence_due_by: Date.now() + DAY,
      noticed_days: null,
      created_at: Date.now(),
      updated_at: Date.now(),
      ...fields,
    });

  it("are counted while evidence is awaited, with the day of the oldest", async () => {
    const oldest = Date.now() - 3 * DAY;
    await made("du_1");
    await made("du_2", { status: "warning_needs_response", created_at: oldest });
    expect(await waiting(kind)).toEqual({
      kind,
      count: 2,
      oldest: new Date(oldest).toISOString(),
      command: "disputes list --state needs_response",
    });
  });

  it.each([
    ["in the test environment", { environment: "test" }],
    ["that was answered", { status: "under_review" }],
    ["that takes no evidence", { evidence_due_by: null }],
  ])("are not counted: one %s", async (_which, fields) => {
    await made("du_1", fields);
    expect(await waiting(kind)).toMatchObject({ count: 0, oldest: null });
  });

  it("are not counted from their deadline on", async () => {
    await made("du_1", { evidence_due_by: Date.now() + 5 * MINUTE });
    expect(await waiting(kind)).toMatchObject({ count: 1 });
    pass(5 * MINUTE);
    expect(await waiting(kind)).toMatchObject({ count: 0 });
  });
});
