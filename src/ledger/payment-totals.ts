import type { paymentStates } from "../core/object-states.ts";
import type { Movement } from "./movement.ts";

type Summed = Pick<Movement, "type" | "status" | "amount" | "currency" | "fee" | "net">;

/** What a payment comes to. Amounts in minor units of `currency`; null if not all of them are known, or they are in several currencies. */
export interface PaymentTotals<Of> {
  readonly state: (typeof paymentStates)[number];
  /** The movement of the payment itself: of several attempts, the last one that did not fail. */
  readonly payment: Of;
  readonly currency: string;
  /** What was given back to the customer; 0 or more. */
  readonly refunded: number | null;
  /** What an open or lost dispute took; 0 or more. */
  readonly disputed: number | null;
  readonly fee: number | null;
  /** What is left after fees, refunds and disputes; null too as long as the payment has not succeeded. */
  readonly net: number | null;
}

/** With several attempts, each has a movement. The last one that did not fail is the payment. */
export function pickPayment<Of extends Pick<Movement, "type" | "status">>(oldestFirst: readonly Of[]): Of | undefined {
  const payments = oldestFirst.filter(({ type }) => type === "processor_payment_in");
  return payments.findLast(({ status }) => status !== "failed") ?? payments.at(-1) ?? oldestFirst[0];
}

/** The totals of a payment from all its movements, oldest first. Null without a movement. */
export function totalsOf<Of extends Summed>(oldestFirst: readonly Of[]): PaymentTotals<Of> | null {
  const payment = pickPayment(oldestFirst);
  if (payment === undefined) return null;
  const { currency } = payment;
  const isOneCurrency = oldestFirst.every((movement) => movement.currency === currency);
  const sumOf = (of: readonly Of[], amountOf: (movement: Of) => number | null) =>
    isOneCurrency && of.every((movement) => amountOf(movement) !== null)
      ? of.reduce((total, movement) => total + (amountOf(movement) ?? 0), 0)
      : null;
  const back = (prefix: string) =>
    sumOf(
      oldestFirst.filter(({ type }) => type?.startsWith(prefix) === true),
      ({ amount }) => amount,
    );
  // A refund that failed has a movement of its own that takes it back, and so has a dispute that was won.
  const [refunded, disputed] = [without0(back("processor_refund")), without0(back("processor_dispute"))];
  const isPaid = payment.type === "processor_payment_in" && payment.status === "completed";
  return {
    payment,
    currency,
    refunded,
    disputed,
    fee: sumOf(oldestFirst, ({ fee }) => fee),
    net: isPaid ? sumOf(oldestFirst, ({ net }) => net) : null,
    state: stateOf(payment, refunded ?? 0, disputed ?? 0),
  };
}

/** The positive amount that negative movements sum to. */
const without0 = (sum: number | null) => (sum === null || sum === 0 ? sum : -sum);

function stateOf({ status, amount }: Summed, refunded: number, disputed: number): PaymentTotals<unknown>["state"] {
  if (status === "pending" || status === "failed") return status;
  if (disputed > 0) return "disputed";
  if (refunded <= 0) return status === "refunded" ? "refunded" : "paid";
  return refunded < amount ? "partly_refunded" : "refunded";
}
