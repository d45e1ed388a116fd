import { z } from "zod";
import type { Environment } from "../core/environment.ts";
import { isWellFormed } from "../core/json.ts";
import type { BankTerminal, Settings } from "../core/settings.ts";
import { carriesToken } from "./token.ts";

/** What the bank tells of a payment, once its token has been checked. */
export interface BankNotification {
  /** Its token: the same for each repetition, and for nothing else. */
  readonly id: string;
  readonly environment: Environment;
  /** The name of the terminal in our settings. */
  readonly terminal: string;
  /** Null for what is told of no order, such as a card that a customer has saved. */
  readonly orderId: string | null;
  readonly bankPaymentId: string | null;
  readonly status: string;
  readonly success: boolean;
  /** Kopecks. */
  readonly amount: number | null;
  /** The message as JSON, without what it says of the customer and the card. */
  readonly payload: string;
}

const text = z.union([z.string(), z.number()]).transform(String);
const receivedSchema = z.record(z.string(), z.unknown());
const messageSchema = z.object({
  TerminalKey: z.string(),
  Token: z.string(),
  OrderId: text.nullish(),
  PaymentId: text.nullish(),
  Status: z.string(),
  Success: z.union([z.boolean(), z.stringbool()]),
  Amount: z.coerce.number().int().nullish(),
});

/** What is kept of a message: what it says of the payment and its receipt, and nothing of the customer or the card. */
const KEPT = new Set(
  "TerminalKey OrderId PaymentId Status Success ErrorCode Amount Message Details ErrorMessage Type FiscalNumber ShiftNumber ReceiptDatetime FnNumber EcrRegNumber FiscalDocumentNumber FiscalDocumentAttribute".split(
    " ",
  ),
);

/**
 * A notification from its raw body. The token is checked over all scalars that came, with the password of the terminal
 * that it names (the bank's documentation, "Проверка токенов"). Null for anything that the holder of such a password
 * did not send.
 */
export async function verifyBankNotification(rawBody: string, terminals: Settings["bank"]["terminals"]): Promise<BankNotification | null> {
  const received = receivedSchema.safeParse(parseOrNull(rawBody));
  const parsed = messageSchema.safeParse(received.data);
  if (!received.success || !parsed.success || !isWellFormed(received.data)) return null;
  const message = parsed.data;
  const known = terminalOf(message.TerminalKey, terminals);
  if (known === undefined || !(await carriesToken(received.data, known.terminal.password))) return null;
  return {
    id: message.Token.toLowerCase(),
    environment: known.environment,
    terminal: known.name,
    orderId: message.OrderId ?? null,
    bankPaymentId: message.PaymentId ?? null,
    status: message.Status,
    success: message.Success,
    amount: message.Amount ?? null,
    payload: JSON.stringify(Object.fromEntries(Object.entries(received.data).filter(([name]) => KEPT.has(name)))),
  };
}

function parseOrNull(rawBody: string): unknown {
  try {
    return JSON.parse(rawBody) as unknown;
  } catch {
    return null;
  }
}

function terminalOf(
  terminalKey: string,
  terminals: Settings["bank"]["terminals"],
): { environment: Environment; name: string; terminal: BankTerminal } | undefined {
  for (const environment of ["live", "test"] as const) {
    for (const [name, terminal] of Object.entries(terminals[environment])) {
      if (terminal.terminalKey === terminalKey) return { environment, name, terminal };
    }
  }
  return undefined;
}
