import * as z from "zod";
import type { CallBudget } from "../core/call-budget.ts";
import { SECOND } from "../core/clock.ts";
import type { Send } from "../core/fetch-sandbox.ts";
import type { BankTerminal } from "../core/settings.ts";
import { asking, type CallLimits, callBank, isRefusal } from "./calls.ts";
import { checkOpened, idSchema, openedSchema, toInit, webUrlSchema } from "./init.ts";
import type { Bank, BankPaymentState } from "./port.ts";
import { tokenOf } from "./token.ts";

/** `GetQr` error codes for a payment without a fast-payment link (switched off, amount out of range, too late). */
const NO_FAST_PAYMENT_LINK_CODES = new Set(["3001", "3016", "3017", "3019"]);
/** The payment can be paid without this link, so the timeout is short. */
const FAST_PAYMENT_LINK_CALL = { attemptTimeout: 3 * SECOND, maxAttempts: 2 };
/** `CheckOrder` error codes for an unknown order. */
const ORDER_NOT_FOUND = new Set(["255", "335"]);

/** Reserved from the deadline for opening a payment, to query the bank for the outcome afterwards. In milliseconds. */
const OUTCOME_QUERY_RESERVE = 5 * SECOND;

const paymentSchema = z.object({ PaymentId: idSchema, Status: z.string(), Amount: z.number().nullish() });
const ordersSchema = z.object({ Payments: z.array(paymentSchema) });
const stateSchema = paymentSchema.extend({ OrderId: idSchema });
const canceledSchema = z.object({ Status: z.literal("CANCELED") });
const qrSchema = z.object({ Data: webUrlSchema });

type Message = Readonly<Record<string, unknown>>;

/** Implements {@link Bank} with the bank's acquiring API, version 2, for one terminal. `base` is the API's base URL; `send` sends a request. */
export function createTBank(base: string, terminal: BankTerminal, send: Send): Bank {
  const call = async <Answer>(method: string, message: Message, schema: z.ZodType<Answer>, limits: CallLimits): Promise<Answer> => {
    const unsigned = { TerminalKey: terminal.terminalKey, ...message };
    const body = JSON.stringify({ ...unsigned, Token: await tokenOf(unsigned, terminal.password) });
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    return callBank(
      (signal) => send(`${base}/v2/${method}`, { method: "POST", headers, body, signal, redirect: "manual" }),
      schema,
      limits,
    );
  };
  const ask = <Answer>(method: string, message: Message, schema: z.ZodType<Answer>, budget: CallBudget) =>
    call(method, message, schema, asking(budget));

  return {
    async openPayment(order, { budget }) {
      const limits = { budget, attemptTimeout: Math.max(budget.remaining() - OUTCOME_QUERY_RESERVE, SECOND), maxAttempts: 1 };
      return checkOpened(await call("Init", toInit(order, terminal), openedSchema, limits), order, terminal);
    },

    async paymentsOf(orderId, { budget }) {
      try {
        const { Payments } = await ask("CheckOrder", { OrderId: orderId }, ordersSchema, budget);
        return Payments.map(toState);
      } catch (thrown) {
        if (isRefusal(thrown, ORDER_NOT_FOUND)) return [];
        throw thrown;
      }
    },

    async cancelPayment(bankPaymentId, { budget }) {
      await call("Cancel", { PaymentId: bankPaymentId }, canceledSchema, { ...asking(budget), maxAttempts: 1 });
    },

    async fastPaymentLink(bankPaymentId, { budget }) {
      try {
        const limits = { budget, ...FAST_PAYMENT_LINK_CALL };
        // Only this call requires a number (the bank's OpenAPI 1.80, `GetQr`). An id that is no safe integer is sent as
        // text.
        const number = Number(bankPaymentId);
        const PaymentId = Number.isSafeInteger(number) ? number : bankPaymentId;
        return (await call("GetQr", { PaymentId, DataType: "PAYLOAD" }, qrSchema, limits)).Data;
      } catch (thrown) {
        if (isRefusal(thrown, NO_FAST_PAYMENT_LINK_CODES)) return null;
        throw thrown;
      }
    },

    async stateOf(bankPaymentId, { budget }) {
      const state = await ask("GetState", { PaymentId: bankPaymentId }, stateSchema, budget);
      return { ...toState(state), orderId: state.OrderId };
    },
  };
}

function toState({ PaymentId, Status, Amount }: z.output<typeof paymentSchema>): BankPaymentState {
  return { bankPaymentId: PaymentId, status: Status, amount: Amount ?? null };
}
