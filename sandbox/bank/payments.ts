import type { ProcessorObject } from "../state.ts";
import { getObject, later, listObjects, nowInSeconds, UnknownObject, type World } from "../world.ts";
import { BankError } from "./failure.ts";
import { notify } from "./notifications.ts";

const PAYABLE = new Set(["NEW", "FORM_SHOWED", "REJECTED"]);

/** Options of a control call. `silent`: the bank sends no notification. */
interface How {
  readonly silent?: boolean | undefined;
}

export function paymentByOrder(world: World, orderId: string): ProcessorObject {
  const found = listObjects(world, "bank_payment").find((payment) => payment.order_id === orderId);
  if (found === undefined) throw new UnknownObject("bank_payment", orderId);
  return upToDate(world, found);
}

export function paymentByPage(world: World, page: string): ProcessorObject {
  const found = listObjects(world, "bank_payment").find((payment) => payment.page === page);
  if (found === undefined) throw new UnknownObject("bank_payment", page);
  return upToDate(world, found);
}

export function paymentById(world: World, id: unknown): ProcessorObject {
  return upToDate(world, getObject(world, "bank_payment", String(id)));
}

/** Expires a payment after its due time. The bank sends no notification for this. */
function upToDate(world: World, payment: ProcessorObject): ProcessorObject {
  const isDead = nowInSeconds(world) > Number(payment.due_at);
  if (isDead && PAYABLE.has(String(payment.status))) payment.status = "DEADLINE_EXPIRED";
  return payment;
}

/** A customer opened the payment page. */
export function show(payment: ProcessorObject): void {
  if (payment.status === "NEW") payment.status = "FORM_SHOWED";
}

/** A customer pays, or is declined. One-stage payment, so both notifications are sent together. */
export async function payBankPayment(
  world: World,
  payment: ProcessorObject,
  outcome: "confirmed" | "rejected",
  { silent = false }: How = {},
): Promise<ProcessorObject> {
  if (!PAYABLE.has(String(payment.status)))
    throw new BankError("8", "Неверный статус транзакции", `Платеж в статусе ${String(payment.status)}`);
  payment.status = outcome === "confirmed" ? "CONFIRMED" : "REJECTED";
  if (silent) return payment;
  const statuses = outcome === "confirmed" ? ["AUTHORIZED", "CONFIRMED"] : ["REJECTED"];
  await Promise.all(statuses.map((status) => notify(world, payment, status, Number(payment.amount))));
  return payment;
}

/** Refunds `amount` kopecks; default: the whole remaining amount. */
export async function refundBankPayment(
  world: World,
  payment: ProcessorObject,
  { amount, silent = false }: How & { readonly amount?: number | undefined },
): Promise<ProcessorObject> {
  const left = Number(payment.amount) - Number(payment.refunded);
  const back = amount ?? left;
  if (!["CONFIRMED", "PARTIAL_REFUNDED"].includes(String(payment.status))) throw new BankError("8", "Неверный статус транзакции");
  if (back < 1 || back > left) throw new BankError("330", "Сумма в запросе больше чем в оригинальной транзакции");
  payment.refunded = Number(payment.refunded) + back;
  payment.status = back === left ? "REFUNDED" : "PARTIAL_REFUNDED";
  if (!silent) await notify(world, payment, String(payment.status), back);
  return payment;
}

/** Expires a payment, without a notification. */
export function expireBankPayment(payment: ProcessorObject): ProcessorObject {
  if (!PAYABLE.has(String(payment.status))) throw new BankError("8", "Неверный статус транзакции");
  payment.status = "DEADLINE_EXPIRED";
  return payment;
}

/** `Cancel`: cancels an unpaid payment, and refunds a paid one. */
export async function cancelBankPayment(world: World, payment: ProcessorObject): Promise<ProcessorObject> {
  if (["CONFIRMED", "PARTIAL_REFUNDED"].includes(String(payment.status))) return refundBankPayment(world, payment, {});
  if (payment.status !== "NEW") throw new BankError("8", "Неверный статус транзакции");
  payment.status = "CANCELED";
  // The caller gets the response before the notification is sent.
  later(world, 0, () => notify(world, payment, "CANCELED", Number(payment.amount)));
  return payment;
}
