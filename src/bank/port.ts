import type { CallBudget } from "../core/call-budget.ts";
import type { ReceiptMethod, ReceiptSubject } from "../core/receipts.ts";

/** The domain's port to the ruble bank, through one terminal. It has one adapter. */
export interface Bank {
  /**
   * Opens a payment for an order. The bank should accept an order id only once. The call is never retried.
   * @throws ServiceFailure `upstream_failed`, `upstream_timeout`. With `sideEffects` `unknown`, the payment may have
   * been opened. This includes the bank's refusal of an order id that it already knows. {@link Bank.paymentsOf} then
   * shows the outcome.
   */
  openPayment(order: NewOrder, call: BankCall): Promise<OpenedPayment>;

  /** All payments that the bank has for an order id. Empty if the bank does not know the order. */
  paymentsOf(orderId: string, call: BankCall): Promise<BankPaymentState[]>;

  /**
   * Cancels a payment that the customer has not started to pay, so that it can no longer be paid. For a paid payment,
   * this call would be a refund. The call is never retried: the bank refuses a repeated one.
   */
  cancelPayment(bankPaymentId: string, call: BankCall): Promise<void>;

  /** A payment's fast-payment link. Null if there is none: amount out of range, or fast payments switched off. */
  fastPaymentLink(bankPaymentId: string, call: BankCall): Promise<string | null>;

  /** The current state of a payment. */
  stateOf(bankPaymentId: string, call: BankCall): Promise<BankPaymentState & { readonly orderId: string }>;
}

interface BankCall {
  readonly budget: CallBudget;
}

/** Maximum length of the payment page's description, in UTF-16 units (the bank's OpenAPI 1.80, `Init.Description`). */
export const MAX_DESCRIPTION_LENGTH = 140;

/** The order to pay. Amounts in kopecks; the lines' amounts add up to `amount`. */
export interface NewOrder {
  /** At most 36 characters. */
  readonly orderId: string;
  readonly amount: number;
  /** The text on the payment page, at most {@link MAX_DESCRIPTION_LENGTH} long. */
  readonly description: string;
  readonly lines: readonly ReceiptLine[];
  readonly buyer: { readonly email: string | null; readonly phone: string | null };
  /** Metadata. Notifications include it if the bank has enabled that. Names up to 20 characters, values up to 100. */
  readonly data: Readonly<Record<string, string>>;
  readonly notificationUrl: string;
  /** Unix milliseconds; at most 90 days ahead. */
  readonly expiresAt: number;
  readonly successUrl: string | null;
  readonly failUrl: string | null;
}

/** A line of the fiscal receipt, in kopecks: `amount` is `price` times `quantity`. */
interface ReceiptLine {
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
  readonly amount: number;
  /** The bank's code of the VAT rate, for example `vat20`. */
  readonly vat: string;
  /** What it is, how it is settled, and the unit of its quantity; missing: as the terminal says. */
  readonly subject?: ReceiptSubject | undefined;
  readonly method?: ReceiptMethod | undefined;
  readonly unit?: string | undefined;
}

export interface OpenedPayment {
  readonly bankPaymentId: string;
  /** The bank's payment page. */
  readonly paymentUrl: string;
}

export interface BankPaymentState {
  readonly bankPaymentId: string;
  /** The bank's status code, for example `NEW`. */
  readonly status: string;
  /** Kopecks; null if the bank does not send it. */
  readonly amount: number | null;
}
