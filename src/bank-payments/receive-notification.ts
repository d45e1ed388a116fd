import type { BankNotification } from "../bank/notification.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Cell, NamedCell } from "../db/client.ts";
import type { FindById } from "../db/find-row.ts";
import type { PullToCurrentCell } from "../db/pull-rows.ts";
import { type OutboxDeps, runWithOutbox } from "../webhooks/outbox/store.ts";
import { pullBankPayment } from "./pull.ts";
import { receiptStatements } from "./receipts.ts";
import { evaluateReport, statusStatements } from "./record-status.ts";
import { type BankPayment, findByOrder, upsertNotification } from "./store.ts";

/** Notification statuses that are not payment states. `RECEIPT`: the fiscal receipt was registered. */
const NON_PAYMENT_STATUSES = new Set(["RECEIPT"]);

type NotificationCell = OutboxDeps & NamedCell;

interface NotificationDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly findById: FindById<NotificationCell>;
  readonly pullToCurrentCell: PullToCurrentCell<NotificationCell>;
  readonly inOriginalCellOf: (orderId: string) => OutboxDeps | null;
  readonly inDirectory: () => OutboxDeps;
}

/**
 * Stores a bank notification with a verified token, and applies it in the same transaction: updates the payment's
 * status and, once, records the partner event that it was paid. After it returns, the notification may be acknowledged.
 * A notification that matches no payment changes nothing and is kept for an operator, in the original cell of its
 * order's id code or in the directory. Usually two D1 round trips.
 */
export async function receiveBankNotification(deps: NotificationDeps, notification: BankNotification): Promise<void> {
  const { clock, log } = deps;
  const { id, environment, terminal, orderId, status, payload } = notification;
  const known = orderId === null ? null : await deps.findById(orderId, ({ db }) => findByOrder(db, orderId));
  const owner = known && (await pullBankPayment(deps.pullToCurrentCell, known));
  const verdict = evaluateNotification(owner?.found, notification);
  const problem = verdict === "apply" || verdict === "ignore" ? null : verdict;
  const part = verdict === "apply" ? partOf(notification) : null;
  const rows =
    owner === null
      ? []
      : verdict === "apply"
        ? await statusStatements({ db: owner.cell.db, clock }, owner.found, status, part)
        : await receiptRows(owner.cell.db, owner.found, notification, clock.now());
  const row = { id, environment, terminal, orderId, status, payload, problem, receivedAt: clock.now() };
  const databaseName = owner?.cell ?? deps.inOriginalCellOf(orderId ?? "") ?? deps.inDirectory();
  await runWithOutbox(databaseName, [upsertNotification(databaseName.db, row, part !== null), ...rows]);
  if (problem !== null) log.error("bank notification not applied", { order: orderId, status, problem });
}

/** What follows from a message about a fiscal receipt of this payment; nothing from another message. */
async function receiptRows(db: Cell, payment: BankPayment, { receipt, environment, terminal }: BankNotification, now: number) {
  const isOfTerminal = payment.environment === environment && payment.terminal === terminal;
  return receipt === null || !isOfTerminal ? [] : receiptStatements(db, payment, receipt, now);
}

/** The bank reports each partial refund with its own amount. */
const partOf = ({ id, status, amount }: BankNotification) =>
  status === "PARTIAL_REFUNDED" && amount !== null && amount > 0 ? { message: id, amount } : null;

function evaluateNotification(
  payment: BankPayment | undefined,
  notification: BankNotification,
): ReturnType<typeof evaluateReport> | "unknown_order" | "terminal_mismatch" {
  const { orderId, status, environment, terminal } = notification;
  if (orderId === null || NON_PAYMENT_STATUSES.has(status)) return "ignore";
  if (payment === undefined) return "unknown_order";
  // A terminal's password is valid only for that terminal's payments: a test terminal cannot pay a live order.
  if (payment.environment !== environment || payment.terminal !== terminal) return "terminal_mismatch";
  return evaluateReport(payment, notification);
}
