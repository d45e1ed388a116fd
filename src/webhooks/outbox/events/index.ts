import { bankPaymentRefunded } from "./bank-payment-refunded.ts";
import { bankPaymentSucceeded } from "./bank-payment-succeeded.ts";
import { bankReceiptRegistered } from "./bank-receipt-registered.ts";
import { checkoutCompleted } from "./checkout-completed.ts";
import { checkoutExpired } from "./checkout-expired.ts";
import type { DescribedEvent } from "./define-event.ts";
import { disputeEvidenceDue } from "./dispute-evidence-due.ts";
import { paymentMethodRefused } from "./payment-method-refused.ts";
import { payoutRecorded } from "./payout-recorded.ts";
import { subscriptionEvents } from "./subscription-events.ts";
import { transactionEvents } from "./transaction-events.ts";
import { webhookFailing, webhookRecovered } from "./webhook-health.ts";

/** Every event that a partner can get. The API description, docs/events.md and the tests follow from this list. */
export const allEvents: readonly DescribedEvent[] = [
  ...Object.values(transactionEvents),
  disputeEvidenceDue,
  ...Object.values(subscriptionEvents),
  checkoutCompleted,
  checkoutExpired,
  paymentMethodRefused,
  bankPaymentSucceeded,
  bankPaymentRefunded,
  bankReceiptRegistered,
  payoutRecorded,
  webhookFailing,
  webhookRecovered,
];
