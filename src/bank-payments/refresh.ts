import type { Bank } from "../bank/port.ts";
import { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import type { Log } from "../core/log.ts";
import { type Cell, runBatch } from "../db/client.ts";
import { type OutboxDeps, runWithOutbox } from "../webhooks/outbox/store.ts";
import { isRefund, movementsOfOrder } from "./money.ts";
import { isPollingDone } from "./poll-schedule.ts";
import { evaluateReport, type Problem, type ReportedStatus, statusStatements } from "./record-status.ts";
import { isPaidOrRefunded, isPaidStatus, stageOf } from "./status.ts";
import { type BankPayment, setBankPaymentId } from "./store.ts";

const REFRESH_TIMEOUT = 15 * SECOND;

export interface RefreshDeps extends OutboxDeps {
  readonly databaseName: CellCode;
  readonly db: Cell;
  readonly clock: Clock;
  readonly log: Log;
  bank(environment: Environment, terminal: string): Bank;
}

/**
 * The status from the bank, and why it was not applied. `problem` is null if it was applied or changes nothing. `refund_unknown`: it was
 * applied, and no report said how much was given back.
 */
export interface RefreshResult {
  readonly status: string;
  readonly problem: Problem | "order_mismatch" | "not_found_at_bank" | "refund_unknown" | null;
}

/** Polls the bank for a payment's status and records it like a notification. @throws ServiceFailure from the bank. */
export async function refreshBankPayment(deps: RefreshDeps, payment: BankPayment): Promise<RefreshResult> {
  const bank = deps.bank(payment.environment, payment.terminal);
  const state = await bank.stateOf(payment.bankPaymentId, { budget: new CallBudget(deps.clock, REFRESH_TIMEOUT) });
  if (state.orderId !== payment.orderId) return { status: state.status, problem: "order_mismatch" };
  return recordRefresh(deps, payment, { ...state, success: true });
}

/**
 * Manually refreshes an order from all payments that the bank has for it. The money may have come through another
 * payment than the one that we opened. If it is exactly one payment with the right amount, that payment pays the order.
 * Any other money for the order is returned as a problem.
 * @throws ServiceFailure from the bank.
 */
export async function refreshFromOrder(deps: RefreshDeps, payment: BankPayment): Promise<RefreshResult> {
  const bank = deps.bank(payment.environment, payment.terminal);
  const held = await bank.paymentsOf(payment.orderId, { budget: new CallBudget(deps.clock, REFRESH_TIMEOUT) });
  const own = held.find(({ bankPaymentId }) => bankPaymentId === payment.bankPaymentId);
  const [other, ...more] = held.filter((one) => one !== own && isPaidStatus(one.status));
  if (other === undefined) {
    if (own === undefined) return { status: "UNKNOWN", problem: "not_found_at_bank" };
    return recordRefresh(deps, payment, { ...own, success: true });
  }
  const movedMoney = payment.paidAt !== null || (own !== undefined && isPaidOrRefunded(own.status));
  if (movedMoney || more.length > 0) return { status: other.status, problem: "payment_mismatch" };
  if (other.status !== "CONFIRMED" || other.amount !== payment.amountKopecks) return { status: other.status, problem: "amount_mismatch" };
  const { bankPaymentId } = other;
  await runBatch(deps.db, [setBankPaymentId(deps.db, payment.id, bankPaymentId)]);
  return recordRefresh(deps, { ...payment, bankPaymentId }, { ...other, success: true });
}

async function recordRefresh(deps: RefreshDeps, payment: BankPayment, report: ReportedStatus): Promise<RefreshResult> {
  const { status } = report;
  const verdict = evaluateReport(payment, report);
  if (verdict !== "apply") return { status, problem: verdict === "ignore" ? null : verdict };
  if (status !== payment.status || isPollingDone(status, deps.clock.now() - payment.createdAt)) {
    await runWithOutbox(deps, await statusStatements(deps, payment, status));
  }
  const isUnknown = stageOf(status) === "partly_refunded" && !(await movementsOfOrder(deps.db, payment.orderId)).some(isRefund);
  return { status, problem: isUnknown ? "refund_unknown" : null };
}
