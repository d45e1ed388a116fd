import type { BankNotification } from "../bank/notification.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { writeTogether } from "../db/client.ts";
import { type OutboxTools, wakeUpFor } from "../notifications/outbox.ts";
import { judge, rowsOfStatus } from "./record-status.ts";
import { type BankPayment, findByOrder, upsertNotification } from "./store.ts";

/** What the bank tells of an order that is no state of its payment: its receipt was registered. */
const NO_STATE = new Set(["RECEIPT"]);

/**
 * Stores what the bank told, once its token has been checked, and what follows from it, in one transaction: the payment's
 * status and, once, the event that it was paid. When this returns, the notification may be acknowledged. One that fits
 * no payment changes nothing and is kept for an operator. Two D1 round trips.
 */
export async function receiveBankNotification(
  tools: OutboxTools & { readonly clock: Clock; readonly log: Log },
  notification: BankNotification,
): Promise<void> {
  const { db, clock, log } = tools;
  const { id, environment, terminal, orderId, status, payload } = notification;
  const payment = orderId === null ? undefined : await findByOrder(db, orderId);
  const verdict = verdictOn(payment, notification);
  const problem = verdict === "follow" || verdict === "nothing_to_follow" ? null : verdict;
  const { rows, told } = payment !== undefined && verdict === "follow" ? rowsOfStatus(tools, payment, status) : { rows: [], told: [] };
  const row = { id, environment, terminal, orderId, status, payload, problem, receivedAt: clock.now() };
  await writeTogether(db, [upsertNotification(db, row), ...rows]);
  await wakeUpFor(tools, told);
  if (problem !== null) log.error("bank notification not followed", { order: orderId, status, problem });
}

function verdictOn(
  payment: BankPayment | undefined,
  notification: BankNotification,
): ReturnType<typeof judge> | "unknown_order" | "other_terminal" {
  const { orderId, status, environment, terminal } = notification;
  if (orderId === null || NO_STATE.has(status)) return "nothing_to_follow";
  if (payment === undefined) return "unknown_order";
  // The password of one terminal says nothing of another's payments: a test terminal cannot pay a live order.
  if (payment.environment !== environment || payment.terminal !== terminal) return "other_terminal";
  return judge(payment, notification);
}
