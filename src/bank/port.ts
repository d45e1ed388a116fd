import type { Deadline } from "../core/deadline.ts";

/** The ruble bank as the domain sees it, through one terminal. Behind it stands one adapter. */
export interface Bank {
  /**
   * Opens a payment for an order; the bank is to take an order's id once. The call is made once, whatever comes of it.
   * @throws ServiceFailure `upstream_failed`, `upstream_timeout`; one that leaves `unknown` may have opened it, and so
   * has one for an order that the bank says it knows: {@link Bank.paymentsOf} tells.
   */
  openPayment(order: NewOrder, call: BankCall): Promise<OpenedPayment>;

  /** Every payment that the bank holds for an order's id; none where it does not know the order. */
  paymentsOf(orderId: string, call: BankCall): Promise<BankPaymentState[]>;

  /**
   * Ends a payment that nobody has begun to pay, so that nobody can. One that was paid would be refunded by this. The call
   * is made once: the bank refuses to repeat it.
   */
  cancelPayment(bankPaymentId: string, call: BankCall): Promise<void>;

  /** The fast-payment link of a payment; null where the bank has none: its amount is out of range, or they are switched off. */
  fastPaymentLink(bankPaymentId: string, call: BankCall): Promise<string | null>;

  /** A payment as it is now. */
  stateOf(bankPaymentId: string, call: BankCall): Promise<BankPaymentState & { readonly orderId: string }>;
}

interface BankCall {
  readonly deadline: Deadline;
}

/** What the payment page has room for, in UTF-16 units (the bank's OpenAPI 1.80, `Init.Description`). */
export const LONGEST_DESCRIPTION = 140;

/** What is to be paid. Amounts in kopecks; the lines' amounts add up to `amount`. */
export interface NewOrder {
  /** At most 36 characters. */
  readonly orderId: string;
  readonly amount: number;
  /** What the payment page says, at most {@link LONGEST_DESCRIPTION} long. */
  readonly description: string;
  readonly lines: readonly ReceiptLine[];
  readonly buyer: { readonly email: string | null; readonly phone: string | null };
  /** Sent along, and echoed in notifications where the bank was asked to. Names up to 20 characters, values up to 100. */
  readonly data: Readonly<Record<string, string>>;
  readonly notificationUrl: string;
  /** Unix milliseconds; at most 90 days ahead. */
  readonly payableUntil: number;
  readonly successUrl: string | null;
  readonly failUrl: string | null;
}

/** A line of the fiscal receipt, in kopecks: `amount` is `price` times `quantity`. */
interface ReceiptLine {
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
  readonly amount: number;
  /** The rate in the bank's spelling, for example `vat20`. */
  readonly vat: string;
}

export interface OpenedPayment {
  readonly bankPaymentId: string;
  /** The bank's payment page. */
  readonly paymentUrl: string;
}

export interface BankPaymentState {
  readonly bankPaymentId: string;
  /** In the bank's spelling, for example `NEW`. */
  readonly status: string;
  /** Kopecks; null where the bank does not say. */
  readonly amount: number | null;
}
