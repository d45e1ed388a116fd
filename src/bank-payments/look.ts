import type { Bank } from "../bank/port.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import type { Log } from "../core/log.ts";
import { writeTogether } from "../db/client.ts";
import { type OutboxTools, wakeUpFor } from "../notifications/outbox.ts";
import { isSettled } from "./looks.ts";
import { judge, type Problem, rowsOfStatus, type Said } from "./record-status.ts";
import { isPaidOrRefunded, saysPaid } from "./status.ts";
import { type BankPayment, setBankPaymentId } from "./store.ts";

const LOOK_BUDGET = 15 * SECOND;

export interface LookTools extends OutboxTools {
  readonly clock: Clock;
  readonly log: Log;
  bank(environment: Environment, terminal: string): Bank;
}

/** What the bank said of a payment, and why it was not followed; null: it was, or it was no news. */
export interface Looked {
  readonly status: string;
  readonly problem: Problem | "other_order" | "not_at_the_bank" | null;
}

/** Asks the bank how a payment is, and records it as a notification would. @throws ServiceFailure as the bank's. */
export async function lookAtBankPayment(tools: LookTools, payment: BankPayment): Promise<Looked> {
  const bank = tools.bank(payment.environment, payment.terminal);
  const state = await bank.stateOf(payment.bankPaymentId, { deadline: new Deadline(tools.clock, LOOK_BUDGET) });
  if (state.orderId !== payment.orderId) return { status: state.status, problem: "other_order" };
  return recordLook(tools, payment, { ...state, success: true });
}

/**
 * The same, by a person's wish, over everything that the bank holds for the order. Where it took the money by another
 * payment than the one that we opened, by one alone and in the right amount, the order is paid by that. Any other money
 * under the order is told as a problem. @throws ServiceFailure as the bank's.
 */
export async function lookAtWholeOrder(tools: LookTools, payment: BankPayment): Promise<Looked> {
  const bank = tools.bank(payment.environment, payment.terminal);
  const held = await bank.paymentsOf(payment.orderId, { deadline: new Deadline(tools.clock, LOOK_BUDGET) });
  const own = held.find(({ bankPaymentId }) => bankPaymentId === payment.bankPaymentId);
  const [other, ...more] = held.filter((one) => one !== own && saysPaid(one.status));
  if (other === undefined) {
    if (own === undefined) return { status: "UNKNOWN", problem: "not_at_the_bank" };
    return recordLook(tools, payment, { ...own, success: true });
  }
  const movedMoney = payment.paidAt !== null || (own !== undefined && isPaidOrRefunded(own.status));
  if (movedMoney || more.length > 0) return { status: other.status, problem: "other_payment" };
  if (other.status !== "CONFIRMED" || other.amount !== payment.amountKopecks) return { status: other.status, problem: "other_amount" };
  const { bankPaymentId } = other;
  await writeTogether(tools.db, [setBankPaymentId(tools.db, payment.id, bankPaymentId)]);
  return recordLook(tools, { ...payment, bankPaymentId }, { ...other, success: true });
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
