import * as z from "zod";
import { receiptMethods, receiptSubjects } from "../../src/core/receipts.ts";
import { addObject, listObjects, type World } from "../world.ts";
import { BankError } from "./failure.ts";
import type { SandboxTerminal } from "./terminals.ts";

const MIN_AMOUNT = 100;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TAXES = new Set("none vat0 vat5 vat7 vat10 vat20 vat22 vat105 vat107 vat110 vat120 vat122".split(" "));

const itemSchema = z.object({
  Name: z.string().min(1).max(128),
  Price: z.int().nonnegative(),
  Quantity: z.number().positive().max(99_999),
  Amount: z.int().nonnegative(),
  Tax: z.string().refine((tax) => TAXES.has(tax)),
  PaymentObject: z.enum(receiptSubjects).optional(),
  PaymentMethod: z.enum(receiptMethods).optional(),
  MeasurementUnit: z.string().min(1).optional(),
});
/** With FFD 1.2 a line must say all of it. */
const newItemSchema = itemSchema.required();

const receiptSchema = z.object({
  Email: z.string().max(64).optional(),
  Phone: z
    .string()
    .regex(/^\+\d{5,18}$/)
    .optional(),
  Taxation: z.string(),
  FfdVersion: z.literal("1.05").optional(),
  Items: z.array(itemSchema).min(1).max(100),
});
const newReceiptSchema = receiptSchema.extend({ FfdVersion: z.literal("1.2"), Items: z.array(newItemSchema).min(1).max(100) });

const url = z.url().optional();
const initSchema = z.object({
  Amount: z.int(),
  OrderId: z.string(),
  Description: z.string().max(140).optional(),
  PayType: z.enum(["O", "T"]).optional(),
  NotificationURL: url,
  RedirectDueDate: z.iso.datetime({ offset: true }).optional(),
  SuccessURL: url,
  FailURL: url,
  DATA: z.record(z.string(), z.string()).optional(),
  Receipt: z.unknown(),
});

/** `Init`: opens a payment, with the checks and codes of the real bank. An order id can be used once. */
export function openPayment(world: World, terminal: SandboxTerminal, message: unknown): object {
  const init = initSchema.safeParse(message);
  if (!init.success) throw new BankError("1", "Параметры не сопоставлены", init.error.issues[0]?.path.join(".") ?? "");
  const { Amount: amount, OrderId: orderId, DATA: data = {} } = init.data;
  if (orderId.length < 1 || orderId.length > 36) throw new BankError("212", "Размер поля OrderId должен быть от 1 до 36");
  if (amount < MIN_AMOUNT) throw new BankError("251", `Неверная сумма. Сумма должна быть больше или равна ${MIN_AMOUNT} копеек`);
  checkData(data);
  const now = world.clock.now();
  const dueAt = init.data.RedirectDueDate === undefined ? now + DAY : Date.parse(init.data.RedirectDueDate);
  if (dueAt < now + MINUTE || dueAt > now + 90 * DAY) throw new BankError("12", "Неверный параметр RedirectDueDate");
  checkReceipt(init.data.Receipt, amount, terminal);
  if (ordersOf(world, terminal, orderId).length > 0) throw new BankError("20", "Ошибка повторного идентификатора заказа");
  const payment = addObject(world, "", {
    id: newPaymentId(),
    object: "bank_payment",
    livemode: terminal.livemode,
    terminal_key: terminal.terminal_key,
    order_id: orderId,
    amount,
    status: "NEW",
    refunded: 0,
    /** Unix seconds. */
    due_at: Math.floor(dueAt / 1000),
    description: init.data.Description ?? "",
    receipt: init.data.Receipt,
    data,
    notification_url: init.data.NotificationURL ?? `${world.edge}/ingest/bank`,
    success_url: init.data.SuccessURL ?? null,
    fail_url: init.data.FailURL ?? null,
    // Secret: returned only in the response to this call.
    page: crypto.randomUUID().replaceAll("-", "").slice(0, 20),
  });
  return {
    TerminalKey: terminal.terminal_key,
    Status: "NEW",
    PaymentId: payment.id,
    OrderId: orderId,
    Amount: amount,
    PaymentURL: `${world.origin}/bank/pay/${String(payment.page)}`,
  };
}

/** The payments of an order at one terminal. */
export function ordersOf(world: World, terminal: SandboxTerminal, orderId: string) {
  return listObjects(world, "bank_payment").filter(
    (payment) => payment.order_id === orderId && payment.terminal_key === terminal.terminal_key,
  );
}

function checkData(data: Readonly<Record<string, string>>): void {
  const pairs = Object.entries(data);
  if (pairs.length > 20) throw new BankError("207", "Параметр DATA превышает максимально допустимый размер");
  if (pairs.some(([name]) => name.length > 20)) {
    throw new BankError("208", "Наименование ключа из параметра DATA превышает максимально допустимый размер");
  }
  if (pairs.some(([, value]) => value.length > 100)) {
    throw new BankError("209", "Значение ключа из параметра DATA превышает максимально допустимый размер");
  }
}

/** The terminals have an online cash register, so each payment needs a receipt that adds up. */
function checkReceipt(given: unknown, amount: number, terminal: SandboxTerminal): void {
  if (given === undefined) throw new BankError("309", "Поле Receipt не должно быть пустым");
  const isNew = z.looseObject({ FfdVersion: z.literal("1.2") }).safeParse(given).success;
  const receipt = (isNew ? newReceiptSchema : receiptSchema).safeParse(given);
  if (!receipt.success) throw new BankError("1", "Параметры не сопоставлены", `Receipt.${receipt.error.issues[0]?.path.join(".") ?? ""}`);
  const { Email, Phone, Items, Taxation } = receipt.data;
  if (Email === undefined && Phone === undefined) throw new BankError("329", "email или Phone обязательны при передаче чека");
  if (Taxation !== terminal.taxation) throw new BankError("1", "Параметры не сопоставлены", "Receipt.Taxation");
  if (Items.some((item) => item.Amount !== Math.round(item.Price * item.Quantity))) {
    throw new BankError("308", "Сумма всех позиций в чеке должна равняться сумме всех видов оплаты");
  }
  if (Items.reduce((sum, item) => sum + item.Amount, 0) !== amount) throw new BankError("334", "Суммы в чеке и в платеже не совпадают");
}

/** Ten digits, like real ids; random, so that an id is never reused after a reset. */
function newPaymentId(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(3_000_000_000 + random);
}
