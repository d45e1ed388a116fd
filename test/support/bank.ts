import { bankTerminals } from "../../sandbox/local-settings.ts";
import { tokenOf } from "../../src/bank/token.ts";
import { bankNotifications, bankPayments, events } from "../../src/db/schema/index.ts";
import type { Answer } from "./answer.ts";
import { BANK, bankCart, call, send } from "./api.ts";
import { bodiesOf } from "./deliveries.ts";
import { world } from "./stack.ts";
import { rowOf, rowsOf } from "./tables.ts";

export const TERMINAL = bankTerminals.test.first;

/** A bank payment as it was answered, and the bank's own id of it. */
export interface Opened {
  order_id: string;
  payment_id: number;
  amount_kopecks: number;
  bankPaymentId: string;
}

/** Opens a test payment of 3,000 rubles, by default. */
export async function openPayment(overrides: Record<string, unknown> = {}): Promise<Opened> {
  const { body } = await call(BANK, bankCart(overrides));
  const held = Object.values(world.state.objects).find(({ order_id }) => order_id === body.order_id);
  return { ...body, bankPaymentId: held?.id ?? "" };
}

/** A notification of the bank about a payment, as its first test terminal would sign it. */
export async function notification(payment: Opened, Status: string, more: object = {}, terminal = TERMINAL): Promise<string> {
  const message = {
    TerminalKey: terminal.terminal_key,
    OrderId: payment.order_id,
    Success: Status !== "REJECTED",
    Status,
    PaymentId: Number(payment.bankPaymentId),
    ErrorCode: "0",
    Amount: payment.amount_kopecks,
    ...more,
  };
  return JSON.stringify({ ...message, Token: await tokenOf(message, terminal.password) });
}

/** The bank's post to the edge. */
export function deliver(body: string, headers: Record<string, string> = { "Content-Type": "application/json" }): Promise<Answer> {
  return send("/ingest/bank", { method: "POST", headers, body });
}

export async function tell(payment: Opened, status: string, more: object = {}, terminal = TERMINAL): Promise<Answer> {
  return deliver(await notification(payment, status, more, terminal));
}

/** A payment's row. */
export function bankPaymentOf({ order_id }: { order_id: string }) {
  return rowOf(bankPayments, { order_id });
}

/** The stored notifications for an order, oldest first. */
export async function kept({ order_id }: { order_id: string }): Promise<Record<string, any>[]> {
  return await rowsOf(bankNotifications, { order_id }, { orderBy: "received_at" });
}

/** The bodies of the events of an order's refunds, the smallest refund first. */
export async function refundEventsOf({ order_id }: { order_id: string }): Promise<any[]> {
  const recorded = await rowsOf(events, { name: "Bank.payment.refunded" });
  const bodies = recorded.map((event) => JSON.parse(String(event.payload))).filter(({ Payment }) => Payment.OrderId === order_id);
  return bodies.toSorted((one, other) => one.Refund.Amount - other.Refund.Amount);
}

/** The bodies of the events that were recorded of an order. */
export const eventsOf = ({ order_id }: { order_id: string }) => bodiesOf(`bank.payment.succeeded:${order_id}`);
