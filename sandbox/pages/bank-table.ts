import { html } from "hono/html";
import { expireBankPayment, payBankPayment, paymentById, refundBankPayment } from "../bank/payments.ts";
import type { ProcessorObject } from "../state.ts";
import { listObjects, type World } from "../world.ts";
import { price } from "./layout.ts";
import { button, buttons, type Cell, code, environment, listing, type Section, time } from "./tables.ts";

/** Actions on a bank payment, by button name. */
export const bankActions = {
  "bank-pay": (world: World, id: string) => payBankPayment(world, paymentById(world, id), "confirmed"),
  "bank-decline": (world: World, id: string) => payBankPayment(world, paymentById(world, id), "rejected"),
  "bank-refund": (world: World, id: string) => refundBankPayment(world, paymentById(world, id), {}),
  "bank-expire": (world: World, id: string) => Promise.resolve(expireBankPayment(paymentById(world, id))),
};

/** The bank's payments, for the start page. */
export function bankPayments(world: World): Section {
  const head = ["Made", "Order", "Environment", "Amount", "Status", ""];
  const none = html`None yet. <a href="${world.edge}/docs/bank-payments">Ruble payments</a> tells how to make one.`;
  return listing({ id: "bank", title: "Bank payments", head, none }, listObjects(world, "bank_payment"), (payment) => [
    time(payment),
    code(payment.order_id),
    environment(payment),
    price(payment.amount, "RUB"),
    String(paymentById(world, payment.id).status),
    actionsOn(payment),
  ]);
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
