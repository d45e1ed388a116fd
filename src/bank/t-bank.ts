import { z } from "zod";
import { SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import type { BankTerminal } from "../core/settings.ts";
import { asking, callBank, isRefusal, type Patience } from "./calls.ts";
import { checkOpened, id, openedSchema, toInit, webUrl } from "./init.ts";
import type { Bank, BankPaymentState } from "./port.ts";
import { tokenOf } from "./token.ts";

/** Codes of `GetQr` that say: there is no such link for this payment (switched off, out of range, too late). */
const NO_FAST_PAYMENTS = new Set(["3001", "3016", "3017", "3019"]);
/** The payment is open and can do without: nobody waits long for it. */
const FAST_LINK = { tryTimeout: 3 * SECOND, mostTries: 2 };
/** What `CheckOrder` says of an order that it does not hold. */
const ORDER_NOT_FOUND = new Set(["255", "335"]);

/** Kept back from the time for opening a payment, so that the bank can still be asked what came of it. In milliseconds. */
const RESERVE = 5 * SECOND;

const paymentSchema = z.object({ PaymentId: id, Status: z.string(), Amount: z.number().nullish() });
const ordersSchema = z.object({ Payments: z.array(paymentSchema) });
const stateSchema = paymentSchema.extend({ OrderId: id });
const canceledSchema = z.object({ Status: z.literal("CANCELED") });
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
      return checkOpened(await call("Init", toInit(order, terminal), openedSchema, patience), order, terminal);
    },

    async paymentsOf(orderId, { deadline }) {
      try {
        const { Payments } = await ask("CheckOrder", { OrderId: orderId }, ordersSchema, deadline);
        return Payments.map(toState);
      } catch (thrown) {
        if (isRefusal(thrown, ORDER_NOT_FOUND)) return [];
        throw thrown;
      }
    },

    async cancelPayment(bankPaymentId, { deadline }) {
      await call("Cancel", { PaymentId: bankPaymentId }, canceledSchema, { ...asking(deadline), mostTries: 1 });
    },

    async fastPaymentLink(bankPaymentId, { deadline }) {
      try {
        const patience = { deadline, ...FAST_LINK };
        return (await call("GetQr", { PaymentId: bankPaymentId, DataType: "PAYLOAD" }, qrSchema, patience)).Data;
      } catch (thrown) {
        if (isRefusal(thrown, NO_FAST_PAYMENTS)) return null;
        throw thrown;
      }
    },

    async stateOf(bankPaymentId, { deadline }) {
      const state = await ask("GetState", { PaymentId: bankPaymentId }, stateSchema, deadline);
      return { ...toState(state), orderId: state.OrderId };
    },
  };
}

function toState({ PaymentId, Status, Amount }: z.output<typeof paymentSchema>): BankPaymentState {
  return { bankPaymentId: PaymentId, status: Status, amount: Amount ?? null };
}
