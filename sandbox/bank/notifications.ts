import { tokenOf } from "../../src/bank/token.ts";
import type { ProcessorObject } from "../state.ts";
import { retryLater, type World } from "../world.ts";
import { findTerminal } from "./terminals.ts";

/** Notifies the edge of a payment's status, and retries later while the response is not `OK`. `amount` in kopecks. */
export async function notify(world: World, payment: ProcessorObject, status: string, amount: number): Promise<void> {
  const terminal = findTerminal(payment.terminal_key);
  if (terminal === undefined) throw new Error("the payment's terminal does not exist");
  const declined = status === "REJECTED";
  const paid = ["AUTHORIZED", "CONFIRMED"].includes(status);
  const message = {
    TerminalKey: terminal.terminal_key,
    OrderId: payment.order_id,
    Success: !declined,
    Status: status,
    PaymentId: Number(payment.id),
    ErrorCode: declined ? "1051" : "0",
    Amount: amount,
    ...(paid ? { CardId: 10452089, Pan: "430000******0777", ExpDate: "1230" } : {}),
    Data: payment.data,
  };
  const body = JSON.stringify({ ...message, Token: await tokenOf(message, terminal.password) });
  await send(world, String(payment.notification_url), body, 0);
}

/** Registers the fiscal receipt of a payment or of a refund, and notifies the edge of it. Returns the document. */
export async function registerReceipt(world: World, payment: ProcessorObject, type: "Income" | "IncomeReturn") {
  const terminal = findTerminal(payment.terminal_key);
  if (terminal === undefined) throw new Error("the payment's terminal does not exist");
  const number = Number(payment.receipts ?? 0) + 1;
  payment.receipts = number;
  // Different for each payment, also after a restart.
  const document = (Number(payment.id) % 1_000_000) * 100 + number;
  const message = {
    TerminalKey: terminal.terminal_key,
    OrderId: payment.order_id,
    Success: true,
    Status: "RECEIPT",
    PaymentId: Number(payment.id),
    ErrorCode: "0",
    Amount: payment.amount,
    Type: type,
    FiscalNumber: number,
    ShiftNumber: 1,
    ReceiptDatetime: "2026-11-20T11:31:05+03:00",
    FnNumber: "9999078900004792",
    EcrRegNumber: "0000000001012345",
    FiscalDocumentNumber: document,
    FiscalDocumentAttribute: 1832594741,
    Url: `https://receipts.example/9999078900004792/${document}`,
  };
  const body = JSON.stringify({ ...message, Token: await tokenOf(message, terminal.password) });
  await send(world, String(payment.notification_url), body, 0);
  return { order_id: payment.order_id, document: String(message.FiscalDocumentNumber) };
}

async function send(world: World, url: string, body: string, tries: number): Promise<void> {
  const taken = await world
    .fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body })
    .then(async (response) => (await response.text()) === "OK" && response.status === 200)
    .catch(() => false);
  if (!taken) retryLater(world, tries, () => send(world, url, body, tries + 1));
}
