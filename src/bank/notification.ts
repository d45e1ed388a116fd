import * as z from "zod";
import { type Environment, environments } from "../core/environment.ts";
import type { FiscalReceipt } from "../core/fiscal-receipt.ts";
import { exceedsDepth, isWellFormed, parseKeepingNumbers } from "../core/json.ts";
import { redactText } from "../core/redact.ts";
import type { BankTerminal, Settings } from "../core/settings.ts";
import { fiscalReceiptIn } from "./fiscal-receipt.ts";
import { verifyToken } from "./token.ts";

/** A bank notification about a payment, after its token has been verified. */
export interface BankNotification {
  /** The message's token: the same in every redelivery, different in every other message. */
  readonly id: string;
  readonly environment: Environment;
  /** The name of the terminal in our settings. */
  readonly terminal: string;
  /** Null for a notification without an order, such as one about a saved card. */
  readonly orderId: string | null;
  readonly bankPaymentId: string | null;
  readonly status: string;
  readonly success: boolean;
  /** Kopecks. */
  readonly amount: number | null;
  /** The fiscal receipt that it is about; null for every other message. */
  readonly receipt: FiscalReceipt | null;
  /** The message as JSON, without customer and card data. */
  readonly payload: string;
}

/**
 * Anyone can send a request here. The bank's own messages have about twenty fields and at most a receipt within a
 * receipt.
 */
const MAX_FIELDS = 100;
const MAX_DEPTH = 8;

const text = z.union([z.string().max(255), z.number()]).transform(String);
/** A whole number, or its digits. */
const wholeNumber = z.union([
  z.int(),
  z
    .string()
    // Accepts the zeros of a decimal amount: such a number is kept as its text.
    .regex(/^\d{1,15}(\.0+)?$/)
    .transform(Number),
]);
const receivedSchema = z
  .record(z.string(), z.unknown())
  .refine((fields) => Object.keys(fields).length <= MAX_FIELDS && !exceedsDepth(fields, MAX_DEPTH));
const messageSchema = z.object({
  TerminalKey: z.string().max(20),
  Token: z.string().regex(/^[0-9a-fA-F]{64}$/),
  OrderId: text.nullish(),
  PaymentId: text.nullish(),
  Status: z.string().max(64),
  Success: z.union([z.boolean(), z.stringbool()]),
  Amount: wholeNumber.nullish(),
});

/** The message fields to store: payment and receipt data, no customer or card data. */
const STORED_FIELDS = new Set(
  "TerminalKey OrderId PaymentId Status Success ErrorCode Amount Message Details ErrorMessage Type FiscalNumber ShiftNumber ReceiptDatetime FnNumber EcrRegNumber FiscalDocumentNumber FiscalDocumentAttribute".split(
    " ",
  ),
);

/**
 * Verifies and parses a notification. The token covers all received scalars and the password of the message's terminal
 * (the bank's documentation, "Проверка токенов"). Returns null if the body is malformed, the terminal is unknown or the
 * token is wrong.
 */
export async function verifyBankNotification(rawBody: string, terminals: Settings["bank"]["terminals"]): Promise<BankNotification | null> {
  // The token is over the text of each value: a number above 2^53 would be rounded.
  const received = receivedSchema.safeParse(parseOrNull(rawBody));
  const parsed = messageSchema.safeParse(received.data);
  if (!received.success || !parsed.success || !isWellFormed(received.data)) return null;
  const message = parsed.data;
  const known = terminalOf(message.TerminalKey, terminals);
  if (known === undefined || !(await verifyToken(received.data, known.terminal.password))) return null;
  return {
    id: message.Token.toLowerCase(),
    environment: known.environment,
    terminal: known.name,
    orderId: message.OrderId ?? null,
    bankPaymentId: message.PaymentId ?? null,
    status: message.Status,
    success: message.Success,
    amount: message.Amount ?? null,
    receipt: message.Status === "RECEIPT" && message.Success ? fiscalReceiptIn(received.data, message.Amount ?? null) : null,
    payload: JSON.stringify(Object.fromEntries(Object.entries(received.data).flatMap(storedField))),
  };
}

/**
 * Free text from the bank may contain the buyer's data. The bank's token does not cover objects, so they are not
 * stored.
 */
function storedField([name, value]: [string, unknown]): [string, unknown][] {
  if (!STORED_FIELDS.has(name) || (typeof value === "object" && value !== null)) return [];
  return [[name, typeof value === "string" ? redactText(value) : value]];
}

function parseOrNull(rawBody: string): unknown {
  try {
    return parseKeepingNumbers(rawBody);
  } catch {
    return null;
  }
}

function terminalOf(
  terminalKey: string,
  terminals: Settings["bank"]["terminals"],
): { environment: Environment; name: string; terminal: BankTerminal } | undefined {
  for (const environment of environments) {
    for (const [name, terminal] of Object.entries(terminals[environment])) {
      if (terminal.terminalKey === terminalKey) return { environment, name, terminal };
    }
  }
  return undefined;
}
