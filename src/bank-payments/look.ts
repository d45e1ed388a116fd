import type { Bank } from "../bank/port.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { writeTogether } from "../db/client.ts";
import { type OutboxTools, wakeUpFor } from "../notifications/outbox.ts";
import { isSettled } from "./looks.ts";
import { judge, type Problem, rowsOfStatus, type Said } from "./record-status.ts";
import type { BankPayment } from "./store.ts";

const LOOK_BUDGET = 15 * SECOND;

export interface LookTools extends OutboxTools {
  readonly clock: Clock;
  bank(environment: Environment, terminal: string): Bank;
}

/** What the bank said of a payment, and why it was not followed; null: it was, or it was no news. */
export interface Looked {
  readonly status: string;
  readonly problem: Problem | "other_order" | null;
}

/** Asks the bank how a payment is, and records it as a notification would. @throws ServiceFailure as the bank's. */
export async function lookAtBankPayment(tools: LookTools, payment: BankPayment): Promise<Looked> {
  const bank = tools.bank(payment.environment, payment.terminal);
  const state = await bank.stateOf(payment.bankPaymentId, { deadline: new Deadline(tools.clock, LOOK_BUDGET) });
  if (state.orderId !== payment.orderId) return { status: state.status, problem: "other_order" };
  return recordLook(tools, payment, { ...state, success: true });
}

/**
 * The same, by a person's wish, over everything that the bank holds for the order: where it took the money by another
 * payment than the one that we opened, and the amount is right, the order is paid all the same.
 * @throws ServiceFailure as the bank's.
 */
export async function lookAtWholeOrder(tools: LookTools, payment: BankPayment): Promise<Looked> {
  const bank = tools.bank(payment.environment, payment.terminal);
  const held = await bank.paymentsOf(payment.orderId, { deadline: new Deadline(tools.clock, LOOK_BUDGET) });
  const paid = held.find(({ status, amount }) => status === "CONFIRMED" && amount === payment.amountKopecks);
  const found = paid ?? held.find(({ bankPaymentId }) => bankPaymentId === payment.bankPaymentId);
  if (found === undefined) return { status: "UNKNOWN", problem: "other_payment" };
  return recordLook(tools, payment, { ...found, bankPaymentId: payment.bankPaymentId, success: true });
}

async function recordLook(tools: LookTools, payment: BankPayment, said: Said): Promise<Looked> {
  const { status } = said;
  const verdict = judge(payment, said);
  if (verdict !== "follow") return { status, problem: verdict === "nothing_to_follow" ? null : verdict };
  if (status !== payment.status || isSettled(status, tools.clock.now() - payment.createdAt)) {
    const { rows, told } = rowsOfStatus(tools, payment, status);
    await writeTogether(tools.db, rows);
    await wakeUpFor(tools, told);
  }
  return { status, problem: null };
}
