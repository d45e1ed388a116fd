import { type Context, Hono } from "hono";
import { tokenOf } from "../../src/bank/token.ts";
import { jsonObjectSchema } from "../../src/core/json.ts";
import { logCall, takeFault } from "../calls.ts";
import type { Fault, ProcessorObject } from "../state.ts";
import { cutConnection, UnknownObject, type World } from "../world.ts";
import { BankError } from "./failure.ts";
import { openPayment, ordersOf } from "./init.ts";
import { cancelBankPayment, payBankPayment, paymentById } from "./payments.ts";
import { misfitOf } from "./shapes.ts";
import { findTerminal, type SandboxTerminal } from "./terminals.ts";

type Message = Readonly<Record<string, unknown>>;

interface Call {
  readonly world: World;
  readonly terminal: SandboxTerminal;
  readonly message: Message;
}

/** The real bank's amount range for fast payments, in kopecks. */
const MIN_FAST = 1_000;
const MAX_FAST = 100_000_000;

const CALLS: Readonly<Record<string, (call: Call) => object | Promise<object>>> = {
  Init: ({ world, terminal, message }) => openPayment(world, terminal, message),

  GetQr(call) {
    const payment = own(call);
    const amount = Number(payment.amount);
    if (amount < MIN_FAST || amount > MAX_FAST) throw new BankError("3016", "Невозможно создать QR");
    return {
      ...head(payment),
      RequestKey: 0,
      PaymentId: Number(payment.id),
      Data: `${call.world.origin}/bank/sbp/${String(payment.page)}`,
    };
  },

  GetState(call) {
    const payment = own(call);
    return { ...head(payment), PaymentId: payment.id, Amount: payment.amount, Status: payment.status };
  },

  CheckOrder({ world, terminal, message }) {
    const orderId = String(message.OrderId);
    const found = ordersOf(world, terminal, orderId);
    if (found.length === 0) throw new BankError("335", `OrderId ${orderId} не найден для TerminalKey ${terminal.terminal_key}`);
    return {
      TerminalKey: terminal.terminal_key,
      OrderId: orderId,
      Payments: found.map(({ id }) => {
        const payment = paymentById(world, id);
        return { PaymentId: id, Amount: payment.amount, Status: payment.status, Success: "true", ErrorCode: 0, Message: "None" };
      }),
    };
  },

  async Cancel(call) {
    const before = own(call);
    const originalAmount = Number(before.amount) - Number(before.refunded);
    const payment = await cancelBankPayment(call.world, before);
    return { ...head(payment), PaymentId: Number(payment.id), Status: payment.status, OriginalAmount: originalAmount, NewAmount: 0 };
  },

  async SbpPayTest(call) {
    const payment = own(call);
    if (payment.livemode) throw new BankError("331", "Неверный терминал");
    await payBankPayment(call.world, payment, call.message.IsRejected === true ? "rejected" : "confirmed");
    return { Details: "" };
  },
};

/** The names that faults can be set for. */
export const bankCallNames: readonly string[] = Object.keys(CALLS).map((name) => `bank.${name}`);

/** The call's payment, which must belong to the call's terminal. */
function own({ world, terminal, message }: Call): ProcessorObject {
  const payment = paymentById(world, message.PaymentId);
  if (payment.terminal_key !== terminal.terminal_key) throw new BankError("914", "Платеж не найден");
  return payment;
}

const head = (payment: ProcessorObject) => ({ TerminalKey: payment.terminal_key, OrderId: payment.order_id });

/** `/v2/…`: the bank's acquiring API. Every call is signed by its `Token`. */
export function bankApi(world: World): Hono {
  const app = new Hono();
  for (const [name, answer] of Object.entries(CALLS)) app.post(`/${name}`, (context) => serve(world, name, answer, context));
  app.all("*", (context) => context.text("Not Found", 404));
  return app;
}

async function serve(world: World, name: string, answer: (call: Call) => object | Promise<object>, context: Context): Promise<Response> {
  const body = await context.req.text();
  const logged = logCall(world, { target: "bank", method: "POST", path: context.req.path, idempotency_key: null, body, livemode: false });
  const fault = takeFault(world, `bank bank.${name}`);
  if (fault?.kind === "reset") return cutConnection();
  const respond = (status: number, text: string, type = "application/json") => {
    logged.status = status;
    return new Response(text, { status, headers: { "Content-Type": type } });
  };
  const injected = fault && errorOf(fault);
  if (injected !== undefined) return respond(injected.status, injected.text, injected.type);
  const outcome = await carryOut(world, name, body, answer);
  if (fault?.kind === "reset_after") return cutConnection();
  if (fault?.kind === "timeout") await world.wait(fault.ms ?? 30_000);
  return respond(200, JSON.stringify(outcome));
}

async function carryOut(world: World, name: string, body: string, answer: (call: Call) => object | Promise<object>): Promise<object> {
  try {
    const message = readMessage(body);
    const terminal = findTerminal(message.TerminalKey);
    if (terminal === undefined)
      throw new BankError("205", "Неверный токен. Проверьте пару TerminalKey/SecretKey", "Указанный терминал не найден");
    if ((await tokenOf(message, terminal.password)) !== message.Token)
      throw new BankError("204", "Неверный токен. Проверьте пару TerminalKey/SecretKey");
    const misfit = misfitOf(name, "request", message);
    if (misfit !== null) throw new BankError("1", "Параметры не сопоставлены", misfit);
    return { Success: true, ErrorCode: "0", Message: "OK", ...(await answer({ world, terminal, message })) };
  } catch (thrown) {
    const error = thrown instanceof UnknownObject ? new BankError("914", "Платеж не найден") : thrown;
    if (!(error instanceof BankError)) throw error;
    return { Success: false, ErrorCode: error.code, Message: error.message, Details: error.details };
  }
}

function readMessage(body: string): Message {
  try {
    return jsonObjectSchema.parse(JSON.parse(body));
  } catch {
    throw new BankError("203", "Параметры запроса не должны быть пустыми");
  }
}

/** A fault's error response, like the bank's or its proxy's; undefined for a fault without an error response. */
function errorOf(fault: Fault): { status: number; text: string; type?: string } | undefined {
  if (fault.kind === "http_500") return { status: 500, text: "<html><body>Internal Server Error</body></html>", type: "text/html" };
  if (fault.kind === "http_429") return { status: 429, text: "Too Many Requests", type: "text/plain" };
  const refusal = { Success: false, ErrorCode: fault.error_code ?? "9999", Message: "The request was refused by an injected fault." };
  if (fault.kind === "http_400") return { status: 400, text: JSON.stringify(refusal) };
  if (fault.kind === "bank_error") return { status: 200, text: JSON.stringify(refusal) };
  return undefined;
}
