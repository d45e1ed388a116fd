import { z } from "zod";
import { HOUR, SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import type { BankTerminal } from "../core/settings.ts";
import { cutText } from "../core/text.ts";
import { readWebUrl } from "../core/urls.ts";
import { asking, BankRefusal, callBank, outOfOrder, type Patience, toFailure } from "./calls.ts";
import type { Bank, BankPaymentState, NewOrder, OpenedPayment } from "./port.ts";
import { tokenOf } from "./token.ts";

/** The bank's limits of texts, in characters (its OpenAPI 1.80, `Init`). */
const LONGEST_NAME = 128;
const LONGEST_DESCRIPTION = 140;

/** Codes of `GetQr` that say: there is no such link for this payment (switched off, out of range, too late). */
const NO_FAST_PAYMENTS = new Set(["3001", "3016", "3017", "3019"]);
const ORDER_NOT_FOUND = "335";

/** Kept back from the time for opening a payment, so that the bank can still be asked what came of it. In milliseconds. */
const RESERVE = 5 * SECOND;

/** The bank gives its ids as texts or numbers, by the method. */
const id = z.union([z.string().min(1), z.int().nonnegative()]).transform(String);
const webUrl = z.string().refine((text) => readWebUrl(text) !== null, "is no address");

const openedSchema = z.object({ TerminalKey: z.string(), PaymentId: id, OrderId: id, Amount: z.number(), PaymentURL: webUrl });
const ordersSchema = z.object({
  Payments: z.array(z.object({ PaymentId: id, Status: z.string(), Amount: z.number().nullish() })),
});
const stateSchema = z.object({ PaymentId: id, OrderId: id, Status: z.string(), Amount: z.number().nullish() });
const qrSchema = z.object({ Data: webUrl });

type Message = Readonly<Record<string, unknown>>;

/** {@link Bank} by the bank's acquiring API, version 2, over one of its terminals. `base` is the address that it is found at. */
export function openTBank(base: string, terminal: BankTerminal): Bank {
  const call = async <Answer>(method: string, message: Message, schema: z.ZodType<Answer>, patience: Patience): Promise<Answer> => {
    const unsigned = { TerminalKey: terminal.terminalKey, ...message };
    const body = JSON.stringify({ ...unsigned, Token: await tokenOf(unsigned, terminal.password) });
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    return callBank(
      (signal) => fetch(`${base}/v2/${method}`, { method: "POST", headers, body, signal, redirect: "manual" }),
      schema,
      patience,
    );
  };
  const ask = <Answer>(method: string, message: Message, schema: z.ZodType<Answer>, deadline: Deadline) =>
    call(method, message, schema, asking(deadline));

  return {
    async openPayment(order, { deadline }) {
      const patience = { deadline, tryTimeout: Math.max(deadline.remaining() - RESERVE, SECOND), mostTries: 1 };
      try {
        return checkOpened(await call("Init", toInit(order, terminal), openedSchema, patience), order, terminal);
      } catch (thrown) {
        throw toFailure(thrown);
      }
    },

    async paymentsOf(orderId, { deadline }) {
      try {
        const { Payments } = await ask("CheckOrder", { OrderId: orderId }, ordersSchema, deadline);
        return Payments.map(toState);
      } catch (thrown) {
        if (thrown instanceof BankRefusal && thrown.code === ORDER_NOT_FOUND) return [];
        throw toFailure(thrown);
      }
    },

    async cancelPayment(bankPaymentId, { deadline }) {
      try {
        await call("Cancel", { PaymentId: bankPaymentId }, z.object({ Status: z.literal("CANCELED") }), {
          ...asking(deadline),
          mostTries: 1,
        });
      } catch (thrown) {
        throw toFailure(thrown);
      }
    },

    async fastPaymentLink(bankPaymentId, { deadline }) {
      try {
        return (await ask("GetQr", { PaymentId: bankPaymentId, DataType: "PAYLOAD" }, qrSchema, deadline)).Data;
      } catch (thrown) {
        if (thrown instanceof BankRefusal && NO_FAST_PAYMENTS.has(thrown.code)) return null;
        throw toFailure(thrown);
      }
    },

    async stateOf(bankPaymentId, { deadline }) {
      try {
        const state = await ask("GetState", { PaymentId: bankPaymentId }, stateSchema, deadline);
        return { ...toState(state), orderId: state.OrderId };
      } catch (thrown) {
        throw toFailure(thrown);
      }
    },
  };
}

function toInit(order: NewOrder, { taxation }: BankTerminal): Message {
  const { email, phone } = order.buyer;
  return {
    Amount: order.amount,
    OrderId: order.orderId,
    Description: cutText(order.description, LONGEST_DESCRIPTION),
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
function checkOpened(opened: z.output<typeof openedSchema>, order: NewOrder, terminal: BankTerminal): OpenedPayment {
  const { TerminalKey, OrderId, Amount, PaymentId, PaymentURL } = opened;
  if (TerminalKey !== terminal.terminalKey || OrderId !== order.orderId || Amount !== order.amount) {
    // Whatever it is, it must not stay: it is looked for by our own id, and taken back.
    throw outOfOrder("unknown", new Error("the bank opened another payment than it was asked for"));
  }
  return { bankPaymentId: PaymentId, paymentUrl: PaymentURL };
}

function toState({
  PaymentId,
  Status,
  Amount,
}: {
  PaymentId: string;
  Status: string;
  Amount?: number | null | undefined;
}): BankPaymentState {
  return { bankPaymentId: PaymentId, status: Status, amount: Amount ?? null };
}
