import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { PullToCurrentCell } from "../db/pull-rows.ts";
import { runWithOutbox } from "../webhooks/outbox/store.ts";
import type { OrderCell, OrderDeps } from "./admin.ts";
import { ENTERED, movementsOfOrder } from "./money.ts";
import { pullBankPayment } from "./pull.ts";
import { statusStatements } from "./record-status.ts";
import { stageOf } from "./status.ts";
import { type BankPayment, findByOrder, hasNotification, insertNotification } from "./store.ts";

/** A part of a ruble payment that the bank gave back: kopecks, and the number of its receipt or of the bank's operation. */
export interface EnteredRefund {
  readonly amount: number;
  readonly reference: string;
}

/** Why a refund is not entered. `left`: kopecks. */
export type NotEntered =
  | { readonly why: "unknown_order" }
  | { readonly why: "not_partly_refunded"; readonly status: string }
  | { readonly why: "too_much"; readonly left: number }
  | { readonly why: "entered_before" };

/**
 * Enters a partial refund whose report never came, or had the same words as the report of another one. It stands among the bank's
 * messages about the order, and is booked and sent to the partner like one that the bank reported. The bank must have said that a part was
 * given back, and less than what is left of the payment: a whole refund says itself how much it is.
 */
export async function enterRefund(
  deps: OrderDeps & { readonly pullToCurrentCell: PullToCurrentCell<OrderCell> },
  orderId: string,
  { amount, reference }: EnteredRefund,
  actor: Actor,
): Promise<BankPayment | NotEntered> {
  const known = await deps.findById(orderId, ({ db }) => findByOrder(db, orderId));
  if (known === null) return { why: "unknown_order" };
  const { cell, found: payment } = await pullBankPayment(deps.pullToCurrentCell, known);
  if (stageOf(payment.status) !== "partly_refunded") return { why: "not_partly_refunded", status: payment.status };
  const left = (await movementsOfOrder(cell.db, orderId)).reduce((sum, movement) => sum + movement.amount, 0);
  if (amount >= left) return { why: "too_much", left };
  const message = `${ENTERED}${orderId}:${reference}`;
  if (await hasNotification(cell.db, message)) return { why: "entered_before" };
  const { partnerId, environment, terminal, status } = payment;
  const now = cell.clock.now();
  const entry = { actor, action: "bank_refund.enter" as const, target: orderId, partnerId, after: { amount_kopecks: amount, reference } };
  const row = { environment, terminal, orderId, status, payload: JSON.stringify({ Amount: amount, Entered: reference }), receivedAt: now };
  await runWithOutbox(cell, [
    // Fails where the same refund is entered at this moment, and the whole batch with it.
    insertNotification(cell.db, { ...row, id: message }),
    auditRow(cell.db, entry, now),
    ...(await statusStatements(cell, payment, status, { message, amount })),
  ]);
  return payment;
}
