import { z } from "zod";
import { HOUR } from "../core/clock.ts";
import type { BankTerminal } from "../core/settings.ts";
import { cutText } from "../core/text.ts";
import { readWebUrl } from "../core/urls.ts";
import { outOfOrder } from "./calls.ts";
import type { NewOrder, OpenedPayment } from "./port.ts";

/** In UTF-16 units (the bank's OpenAPI 1.80, `Receipt.Items.Name`). */
const LONGEST_NAME = 128;

/** The bank gives its ids as texts or numbers, by the method. */
export const id = z.union([z.string().min(1), z.int().nonnegative()]).transform(String);
export const webUrl = z.string().refine((text) => readWebUrl(text) !== null, "is no address");

export const openedSchema = z.object({ TerminalKey: z.string(), PaymentId: id, OrderId: id, Amount: z.number(), PaymentURL: webUrl });

/** The message that opens a payment, but for its signature. */
export function toInit(order: NewOrder, { taxation }: BankTerminal): Readonly<Record<string, unknown>> {
  const { email, phone } = order.buyer;
  return {
    Amount: order.amount,
    OrderId: order.orderId,
    Description: order.description,
    // One stage: what is authorised is charged.
    PayType: "O",
    Language: "ru",
    NotificationURL: order.notificationUrl,
    RedirectDueDate: moscowTime(order.payableUntil),
    ...(order.successUrl === null ? {} : { SuccessURL: order.successUrl }),
    ...(order.failUrl === null ? {} : { FailURL: order.failUrl }),
    ...(Object.keys(order.data).length === 0 ? {} : { DATA: order.data }),
    Receipt: {
      ...(email === null ? {} : { Email: email }),
      ...(phone === null ? {} : { Phone: phone }),
      Taxation: taxation,
      Items: order.lines.map(({ name, price, quantity, amount, vat }) => ({
        Name: cutText(name, LONGEST_NAME),
        Price: price,
        Quantity: quantity,
        Amount: amount,
        Tax: vat,
      })),
    },
  };
}

/** A moment in Unix milliseconds as the bank writes it: local time to the second, with its offset from UTC. */
function moscowTime(moment: number): string {
  return `${new Date(moment + 3 * HOUR).toISOString().slice(0, 19)}+03:00`;
}

/** What was opened must be what was asked for: the answer of another order, or another amount, would be paid by somebody. */
export function checkOpened(opened: z.output<typeof openedSchema>, order: NewOrder, terminal: BankTerminal): OpenedPayment {
  const { TerminalKey, OrderId, Amount, PaymentId, PaymentURL } = opened;
  if (TerminalKey !== terminal.terminalKey || OrderId !== order.orderId || Amount !== order.amount) {
    // Whatever it is, it must not stay: it is looked for by our own id, and taken back.
    throw outOfOrder("unknown", new Error("the bank opened another payment than it was asked for"));
  }
  return { bankPaymentId: PaymentId, paymentUrl: PaymentURL };
}
