import { html } from "hono/html";
import { expireBankPayment, payBankPayment, paymentById, refundBankPayment } from "../bank/payments.ts";
import type { ProcessorObject } from "../state.ts";
import { listObjects, type World } from "../world.ts";
import { price } from "./layout.ts";
import { button, buttons, type Cell, code, environment, MOST_ROWS, type Section, table, time } from "./tables.ts";

/** What a person can do to a bank payment, by the name of the button. */
export const bankActions = {
  "bank-pay": (world: World, id: string) => payBankPayment(world, paymentById(world, id), "confirmed"),
  "bank-decline": (world: World, id: string) => payBankPayment(world, paymentById(world, id), "rejected"),
  "bank-refund": (world: World, id: string) => refundBankPayment(world, paymentById(world, id), {}),
  "bank-expire": (world: World, id: string) => Promise.resolve(expireBankPayment(paymentById(world, id))),
};

/** The bank's payments, for the start page. */
export function bankPayments(world: World): Section {
  const all = listObjects(world, "bank_payment");
  const rows = all
    .slice(0, MOST_ROWS)
    .map((payment): Cell[] => [
      time(payment),
      code(payment.order_id),
      environment(payment),
      price(payment.amount, "RUB"),
      String(paymentById(world, payment.id).status),
      actionsOn(payment),
    ]);
  const none = html`None yet. <a href="${world.edge}/docs/bank-payments">Ruble payments</a> tells how to make one.`;
  const content = table(["Made", "Order", "Environment", "Amount", "Status", ""], rows, none);
  return { id: "bank", title: "Bank payments", count: all.length, content };
}

function actionsOn(payment: ProcessorObject): Cell {
  const status = String(payment.status);
  if (["NEW", "FORM_SHOWED", "REJECTED"].includes(status)) {
    return buttons(
      html`<a href="/bank/pay/${String(payment.page)}">Page</a>`,
      button("bank-pay", payment, "Pay"),
      button("bank-decline", payment, "Decline"),
      button("bank-expire", payment, "Let it expire"),
    );
  }
  return ["CONFIRMED", "PARTIAL_REFUNDED"].includes(status) ? buttons(button("bank-refund", payment, "Refund")) : "";
}
