import type { CompensationRun } from "../idempotency/workflow.ts";
import type { BankCartPlan } from "./bank-cart.ts";
import { firstPollAt } from "./poll-schedule.ts";
import type { NewBankPayment } from "./store.ts";

/** The row of a payment that the bank has opened. `paymentUrl` is null if no caller ever received it. */
export function paymentRow(
  { environment, terminal, externalOrderId, amount, lines }: BankCartPlan,
  { partnerId, recordId, actor }: Pick<CompensationRun, "partnerId" | "recordId" | "actor">,
  opened: { readonly paymentId: number; readonly orderId: string; readonly bankPaymentId: string; readonly paymentUrl: string | null },
  now: number,
): NewBankPayment {
  return {
    id: opened.paymentId,
    orderId: opened.orderId,
    partnerId,
    environment,
    terminal,
    bankPaymentId: opened.bankPaymentId,
    externalOrderId,
    status: "NEW",
    items: JSON.stringify(lines),
    amountKopecks: amount,
    paymentUrl: opened.paymentUrl,
    recordId,
    createdAt: now,
    updatedAt: now,
    nextPollAt: firstPollAt(now),
    holder: actor.name,
  };
}
