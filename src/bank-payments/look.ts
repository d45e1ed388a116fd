import type { Bank } from "../bank/port.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { writeTogether } from "../db/client.ts";
import { type OutboxTools, wakeUpFor } from "../notifications/outbox.ts";
import { isSettled } from "./looks.ts";
import { problemWith, rowsOfStatus } from "./record-status.ts";
import type { BankPayment } from "./store.ts";

const LOOK_BUDGET = 15 * SECOND;

export interface LookTools extends OutboxTools {
  readonly clock: Clock;
  bank(environment: Environment, terminal: string): Bank;
}

/**
 * Asks the bank how a payment is, and records it as a notification would. Gives the status that the bank said.
 * Throws where what it says is not of this payment; @throws ServiceFailure as the bank's.
 */
export async function lookAtBankPayment(tools: LookTools, payment: BankPayment): Promise<string> {
  const { db, clock } = tools;
  const bank = tools.bank(payment.environment, payment.terminal);
  const state = await bank.stateOf(payment.bankPaymentId, { deadline: new Deadline(clock, LOOK_BUDGET) });
  const problem = state.orderId === payment.orderId ? problemWith(payment, { ...state, success: true }) : "other_order";
  if (problem !== null) throw new Error(`the bank's answer cannot be followed (${problem}): ${payment.orderId} is ${state.status}`);
  const isNews = state.status !== payment.status || isSettled(state.status, clock.now() - payment.createdAt);
  if (isNews) {
    const { rows, told } = rowsOfStatus(tools, payment, state.status);
    await writeTogether(db, rows);
    await wakeUpFor(tools, told);
  }
  return state.status;
}
