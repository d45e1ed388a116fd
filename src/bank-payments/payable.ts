import { HOUR } from "../core/clock.ts";
import { stageOf } from "./status.ts";

/**
 * How long a payment can be paid at the bank, in milliseconds. Equal to the deduplication window of a cart without a token: a
 * new payment after it is then the only payable one.
 */
export const PAYMENT_LIFETIME = 24 * HOUR;

/** When a payment's time at the bank ends, in Unix milliseconds. */
export const payableUntil = ({ createdAt }: { readonly createdAt: number }): number => createdAt + PAYMENT_LIFETIME;

/**
 * Whether a customer can still pay a payment, or has begun to: it is neither paid nor rejected, cancelled or expired. A status
 * that the bank does not document counts as payable: then no second payment is opened.
 */
export function isPayable({ status, createdAt }: { readonly status: string; readonly createdAt: number }, now: number): boolean {
  const stage = stageOf(status);
  return (stage === undefined || stage === "open" || stage === "authorized") && now < payableUntil({ createdAt });
}
