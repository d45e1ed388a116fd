import { requireIdCode } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import type { Cell, Statement } from "../db/client.ts";
import { bankPaymentSucceeded } from "../webhooks/outbox/events/bank-payment-succeeded.ts";
import { recordEvent } from "../webhooks/outbox/store.ts";
import { bankMovementRows, bankRefundEvents, type PartlyRefunded, refundsOf } from "./money.ts";
import { bankOrderRows } from "./order-rows.ts";
import { isPollingDone } from "./poll-schedule.ts";
import { isPaidOrRefunded, isPaidStatus, overwritableStatuses, stageOf } from "./status.ts";
import { type BankPayment, isNotPaid, updateStatus } from "./store.ts";

/** The status of an order's payment, from a bank notification or a bank response. */
export interface ReportedStatus {
  readonly bankPaymentId: string | null;
  readonly status: string;
  /** Kopecks; null if the bank does not send it. */
  readonly amount: number | null;
  /** Whether the reported operation succeeded. A failed refund is reported with the unchanged status. */
  readonly success: boolean;
}

/** Why a reported status is not applied, although it may involve money. */
export type Problem = "unknown_status" | "payment_mismatch" | "amount_mismatch" | "not_successful";

/** Compares a reported status with the payment: apply it, ignore it, or leave the problem to an operator. */
export function evaluateReport(
  payment: Pick<BankPayment, "bankPaymentId" | "amountKopecks" | "paidAt">,
  report: ReportedStatus,
): "apply" | "ignore" | Problem {
  if (stageOf(report.status) === undefined) return "unknown_status";
  const isPaid = isPaidStatus(report.status);
  // The bank should have no other payment for the order. One that moves no money is ignored.
  if (report.bankPaymentId !== payment.bankPaymentId) return isPaid ? "payment_mismatch" : "ignore";
  if (!isPaid) return "apply";
  if (!report.success) return payment.paidAt === null ? "not_successful" : "ignore";
  // A partial refund is reported with its own amount, so only `CONFIRMED` is compared.
  return report.status === "CONFIRMED" && report.amount !== payment.amountKopecks ? "amount_mismatch" : "apply";
}

/**
 * The rows for a reported status: the payment's status, unless the payment is already at a later stage, and the partner
 * event when it is paid, what it moved, and its order. `part`: a partial refund that the report is about. Reports may come repeatedly and in any order: the final stage is the same, and the event is
 * recorded once.
 */
export async function statusStatements(
  { db, clock }: { readonly db: Cell; readonly clock: Clock },
  payment: BankPayment,
  status: string,
  part: PartlyRefunded | null = null,
): Promise<Statement[]> {
  const now = clock.now();
  const paid = isPaidStatus(status);
  const nextPollAt = isPollingDone(status, now - payment.createdAt) ? null : undefined;
  const over = overwritableStatuses(status);
  // If the money was refunded before this report, the event has the refund's status.
  const paidAs = over.includes(payment.status) ? status : payment.status;
  const facts = { ...payment, paymentId: payment.id, status: paidAs };
  const event = paid ? await bankPaymentSucceeded.make(requireIdCode(payment.orderId), facts) : null;
  // Only a paid payment can be refunded.
  const refunds = isPaidOrRefunded(status) ? await refundsOf(payment, part) : [];
  return [
    // This comes before the update of the payment: a payment that is stored as paid already has its event.
    ...(event === null ? [] : [recordEvent(db, event, now, isNotPaid(payment.id))]),
    updateStatus(db, payment.id, { status, over, paid, nextPollAt }, now),
    ...bankMovementRows(db, payment, part, now),
    ...bankRefundEvents(db, payment.orderId, refunds, now),
    // No customer could pay an order whose address was lost.
    ...(payment.paymentUrl === null && !paid ? [] : bankOrderRows(db, payment, paidAs, null, now)),
  ];
}
