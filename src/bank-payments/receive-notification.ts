import type { BankNotification } from "../bank/notification.ts";
import type { Clock } from "../core/clock.ts";
import { writeTogether } from "../db/client.ts";
import { type OutboxTools, wakeUpFor } from "../notifications/outbox.ts";
import { type Problem, problemWith, rowsOfStatus } from "./record-status.ts";
import { type BankPayment, findByOrder, upsertNotification } from "./store.ts";

/** What the bank tells of an order that is no state of its payment: its receipt was registered. */
const NO_STATE = new Set(["RECEIPT"]);

/**
 * Stores what the bank told, once its token has been checked, and what follows from it, in one transaction: the payment's
 * status and, once, the event that it was paid. When this returns, the notification may be acknowledged. One that fits
 * no payment changes nothing and is kept for an operator. Two D1 round trips.
 */
export async function receiveBankNotification(
  tools: OutboxTools & { readonly clock: Clock },
  notification: BankNotification,
): Promise<void> {
  const { db, clock, log } = tools;
  const { id, environment, terminal, orderId, status, payload } = notification;
  const isState = orderId !== null && !NO_STATE.has(status);
  const payment = isState ? await findByOrder(db, orderId) : undefined;
  const problem = isState ? judge(payment, notification) : null;
  const { rows, told } = payment !== undefined && problem === null ? rowsOfStatus(tools, payment, status) : { rows: [], told: [] };
  const row = { id, environment, terminal, orderId, status, payload, problem, receivedAt: clock.now() };
  await writeTogether(db, [upsertNotification(db, row), ...rows]);
  await wakeUpFor(tools, told);
  if (problem !== null) log.error("bank notification not followed", { order: orderId, status, problem });
}

/** The password of one terminal says nothing of another's payments: a test terminal cannot pay a live order. */
function judge(payment: BankPayment | undefined, notification: BankNotification): Problem | "unknown_order" | "other_terminal" | null {
  if (payment === undefined) return "unknown_order";
  if (payment.environment !== notification.environment || payment.terminal !== notification.terminal) return "other_terminal";
  return problemWith(payment, notification);
}
