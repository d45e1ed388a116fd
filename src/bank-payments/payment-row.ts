import type { BankCartPlan } from "./bank-cart.ts";
import { firstLookAt } from "./looks.ts";
import type { NewBankPayment } from "./store.ts";

/** The row of a payment as the bank opened it now; without an address where nobody was told of it. */
export function paymentRow(
  { environment, terminal, externalOrderId, amount }: BankCartPlan,
  { partnerId, recordId }: { readonly partnerId: string; readonly recordId: string },
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
    amountKopecks: amount,
    paymentUrl: opened.paymentUrl,
    recordId,
    createdAt: now,
    updatedAt: now,
    lookAt: firstLookAt(now),
  };
}
