import * as z from "zod";
import { HOUR } from "../core/clock.ts";
import { limits } from "../core/limits.ts";
import { RECEIPT_DEFAULTS } from "../core/receipts.ts";
import type { BankTerminal } from "../core/settings.ts";
import { onOneLine, truncate } from "../core/text.ts";
import { parseHttpUrl } from "../core/urls.ts";
import { bankUnavailable } from "./calls.ts";
import type { NewOrder, OpenedPayment } from "./port.ts";

/** The bank returns ids as strings or numbers, depending on the method. */
export const idSchema = z.union([z.string().min(1), z.int().nonnegative()]).transform(String);
export const webUrlSchema = z.string().refine((text) => parseHttpUrl(text) !== null, "is not a web URL");

export const openedSchema = z.object({
  TerminalKey: z.string(),
  PaymentId: idSchema,
  OrderId: idSchema,
  Amount: z.number(),
  PaymentURL: webUrlSchema,
});

/** The `Init` message that opens a payment, without `TerminalKey` and `Token`. */
export function toInit(order: NewOrder, { taxation, receipt }: BankTerminal): Readonly<Record<string, unknown>> {
  const { email, phone } = order.buyer;
  return {
    Amount: order.amount,
    OrderId: order.orderId,
    Description: onOneLine(order.description),
    // One-stage payment: the authorised amount is captured immediately.
    PayType: "O",
    Language: "ru",
    NotificationURL: order.notificationUrl,
    RedirectDueDate: moscowTime(order.expiresAt),
    ...(order.successUrl === null ? {} : { SuccessURL: order.successUrl }),
    ...(order.failUrl === null ? {} : { FailURL: order.failUrl }),
    ...(Object.keys(order.data).length === 0 ? {} : { DATA: order.data }),
    Receipt: {
      ...(email === null ? {} : { Email: email }),
      ...(phone === null ? {} : { Phone: phone }),
      Taxation: taxation,
      ...(receipt.ffdVersion === "1.2" ? { FfdVersion: receipt.ffdVersion } : {}),
      Items: order.lines.map((line) => ({
        Name: truncate(onOneLine(line.name), limits.receiptName.characters),
        Price: line.price,
        Quantity: line.quantity,
        Amount: line.amount,
        Tax: line.vat,
        ...settlementOf(line, receipt),
      })),
    },
  };
}

/**
 * What a line says of its settlement: the product's own words, or those of the terminal. With FFD 1.05 the bank fills in what is left
 * out; with 1.2 each line must say all of it.
 */
function settlementOf({ subject, method, unit }: NewOrder["lines"][number], of: BankTerminal["receipt"]) {
  const [said, settled] = [subject ?? of.subject, method ?? of.method];
  if (of.ffdVersion === "1.2") {
    return {
      PaymentObject: said ?? RECEIPT_DEFAULTS.subject,
      PaymentMethod: settled ?? RECEIPT_DEFAULTS.method,
      MeasurementUnit: unit ?? of.unit,
    };
  }
  return { ...(said === null ? {} : { PaymentObject: said }), ...(settled === null ? {} : { PaymentMethod: settled }) };
}

/** Formats a Unix timestamp (milliseconds) for the bank: Moscow time with seconds and the UTC offset. */
function moscowTime(timestamp: number): string {
  return `${new Date(timestamp + 3 * HOUR).toISOString().slice(0, 19)}+03:00`;
}

/** The opened payment must match the request. Otherwise a customer would pay another order or another amount. */
export function checkOpened(opened: z.output<typeof openedSchema>, order: NewOrder, terminal: BankTerminal): OpenedPayment {
  const { TerminalKey, OrderId, Amount, PaymentId, PaymentURL } = opened;
  if (TerminalKey !== terminal.terminalKey || OrderId !== order.orderId || Amount !== order.amount) {
    // This payment must not stay open. After `unknown`, it is searched for by our order id and cancelled.
    throw bankUnavailable("unknown", new Error("the bank opened a payment that does not match the request"));
  }
  return { bankPaymentId: PaymentId, paymentUrl: PaymentURL };
}
