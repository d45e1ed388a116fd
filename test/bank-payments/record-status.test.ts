import { describe, expect, it } from "vitest";
import { evaluateReport, type ReportedStatus } from "../../src/bank-payments/record-status.ts";

const payment = { bankPaymentId: "1", amountKopecks: 500, paidAt: null };
const report = (overrides: Partial<ReportedStatus> = {}): ReportedStatus => ({
  bankPaymentId: "1",
  status: "CONFIRMED",
  amount: 500,
  success: true,
  ...overrides,
});

describe("what the bank reports of a payment", () => {
  it.each<[string, Partial<ReportedStatus>, ReturnType<typeof evaluateReport>]>([
    ["that it is paid", {}, "apply"],
    ["that it is open, in whatever amount", { status: "NEW", amount: 1, success: false }, "apply"],
    ["a status that nobody documents", { status: "PAID" }, "unknown_status"],
    ["that another payment of the order is paid", { bankPaymentId: "2" }, "payment_mismatch"],
    ["that another payment of the order is open", { bankPaymentId: "2", status: "NEW" }, "ignore"],
    ["another amount", { amount: 499 }, "amount_mismatch"],
    ["no amount", { amount: null }, "amount_mismatch"],
    ["a part of it refunded, with an amount of its own", { status: "PARTIAL_REFUNDED", amount: 1 }, "apply"],
    ["paid, without success", { success: false }, "not_successful"],
  ])("%s", (_what, overrides, wanted) => {
    expect(evaluateReport(payment, report(overrides))).toBe(wanted);
  });

  it("without success changes nothing where it is paid already: a refund failed", () => {
    expect(evaluateReport({ ...payment, paidAt: 1 }, report({ success: false }))).toBe("ignore");
  });
});
