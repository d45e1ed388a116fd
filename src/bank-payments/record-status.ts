import type { Clock } from "../core/clock.ts";
import type { Database, Statement } from "../db/client.ts";
import { bankPaymentSucceeded, type PartnerEvent } from "../notifications/events.ts";
import { recordEvent } from "../notifications/outbox.ts";
import { isSettled } from "./looks.ts";
import { givingWayTo, saysPaid, stageOf } from "./status.ts";
import { type BankPayment, updateStatus } from "./store.ts";

/** What is said of an order's payment, by a notification of the bank or by its answer. */
export interface Said {
  readonly bankPaymentId: string | null;
  readonly status: string;
  /** Kopecks; null where it is not said. */
  readonly amount: number | null;
  /** Whether what is told went well; a refund that failed is told with the status that stays. */
  readonly success: boolean;
}

/** Why what is said of a payment is not followed, though money may be in it. */
export type Problem = "unknown_status" | "other_payment" | "other_amount" | "not_successful";

/** Holds what is said against the payment: it is followed, it means nothing to this payment, or a person has to look. */
export function judge(
  payment: Pick<BankPayment, "bankPaymentId" | "amountKopecks" | "paidAt">,
  said: Said,
): "follow" | "nothing_to_follow" | Problem {
  if (stageOf(said.status) === undefined) return "unknown_status";
  const isPaid = saysPaid(said.status);
  // Of another payment for the order, which the bank should not have: what moves no money is no matter.
  if (said.bankPaymentId !== payment.bankPaymentId) return isPaid ? "other_payment" : "nothing_to_follow";
  if (!isPaid) return "follow";
  if (!said.success) return payment.paidAt === null ? "not_successful" : "nothing_to_follow";
  // A part of it that was refunded is told with an amount of its own.
  return said.status === "CONFIRMED" && said.amount !== payment.amountKopecks ? "other_amount" : "follow";
}

/**
 * The rows of what was said of a payment: its status, unless it has got further, and once, when it is paid, what its
 * partner is told. In any order and however often it is said, the end is of the same stage, and told once.
 */
export function rowsOfStatus(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  payment: BankPayment,
  status: string,
): { readonly rows: Statement[]; readonly told: PartnerEvent[] } {
  const now = clock.now();
  const paid = saysPaid(status);
  const lookAt = isSettled(status, now - payment.createdAt) ? null : undefined;
  const over = givingWayTo(status);
  // Money that has gone back by now is told as that.
  const told = paid ? [bankPaymentSucceeded(payment, over.includes(payment.status) ? status : payment.status)] : [];
  return {
    rows: [updateStatus(db, payment.id, { status, over, paid, lookAt }, now), ...told.flatMap((event) => recordEvent({ db }, event, now))],
    told,
  };
}
