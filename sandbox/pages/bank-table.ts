import { html } from "hono/html";
import { expireBankPayment, payBankPayment, paymentById, refundBankPayment } from "../bank/payments.ts";
import type { ProcessorObject } from "../state.ts";
import type { World } from "../world.ts";
import { price } from "./layout.ts";
import { button, environment, table, time } from "./tables.ts";

/** What a person can do to a bank payment, by the name of the button. */
export const bankActions: Readonly<Record<string, (world: World, id: string) => Promise<unknown>>> = {
  "bank-pay": (world, id) => payBankPayment(world, paymentById(world, id), "confirmed"),
  "bank-decline": (world, id) => payBankPayment(world, paymentById(world, id), "rejected"),
  "bank-refund": (world, id) => refundBankPayment(world, paymentById(world, id), {}),
  "bank-expire": (world, id) => Promise.resolve(expireBankPayment(paymentById(world, id))),
};

/** The bank's payments, for the start page. */
export function bankPayments(world: World, payments: readonly ProcessorObject[]) {
  return table(
    "Bank payments",
    ["Made", "Order", "Environment", "Amount", "Status", ""],
    payments.map((payment) => [
      time(payment),
      html`<code>${payment.order_id}</code>`,
      environment(payment),
      price(payment.amount, "RUB"),
      String(paymentById(world, payment.id).status),
      actionsOn(payment),
    ]),
  );
}

function actionsOn(payment: ProcessorObject) {
  const status = String(payment.status);
  if (["NEW", "FORM_SHOWED", "REJECTED"].includes(status)) {
    const page = html`<a href="/bank/pay/${String(payment.page)}">Open the page</a>`;
    return html`${page} ${button("bank-pay", payment, "Pay")} ${button("bank-decline", payment, "Decline")} ${button("bank-expire", payment, "Let it expire")}`;
  }
  return ["CONFIRMED", "PARTIAL_REFUNDED"].includes(status) ? button("bank-refund", payment, "Refund") : "";
}
