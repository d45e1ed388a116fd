import { z } from "zod";
import { SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import type { BankTerminal } from "../core/settings.ts";
import { asking, BankRefusal, callBank, type Patience, toFailure } from "./calls.ts";
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
        if (thrown instanceof BankRefusal && ORDER_NOT_FOUND.has(thrown.code)) return [];
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
        const patience = { deadline, ...FAST_LINK };
        return (await call("GetQr", { PaymentId: bankPaymentId, DataType: "PAYLOAD" }, qrSchema, patience)).Data;
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
