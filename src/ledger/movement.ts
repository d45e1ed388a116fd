import { isoTime } from "../core/clock.ts";
import { toMajorUnits } from "../core/money.ts";
import { movementStatuses, type movements } from "../db/schema/ledger.ts";
import type { ChargeFacts } from "../processor/port.ts";

export { movementStatuses };

export type Movement = Omit<typeof movements.$inferSelect, "updatedAt">;

/** A movement is named after its balance transaction, and so never told of twice. */
export function movementId(balanceTransactionId: string): string {
  return `processor:${balanceTransactionId}`;
}

/**
 * The movement that a charge is, or null while the processor has not computed its balance transaction: the movement
 * is named after that, so it cannot exist before. Amounts are the settlement's; `partnerId` is null where nobody knows whose it is.
 */
export function movementOfCharge(facts: ChargeFacts, environment: "live" | "test", partnerId: string | null): Movement | null {
  const transaction = facts.balanceTransaction;
  if (transaction === null) return null;
  return {
    id: movementId(transaction.id),
    partnerId,
    environment,
    amount: transaction.amount,
    fee: transaction.fee,
    net: transaction.net,
    currency: transaction.currency,
    status: facts.status === "succeeded" ? "completed" : facts.status,
    type: "processor_payment_in",
    transactionDate: transaction.created,
    description: facts.description,
    isSubscription: facts.subscriptionId !== null,
    clientReferenceId: facts.clientReferenceId,
    paymentIntentId: facts.paymentIntentId,
    sourceId: facts.chargeId,
    subscriptionId: facts.subscriptionId,
  };
}

/** A movement as the second generation shows it (interface, "Transaction"): amounts in major units. */
export function transactionOf(movement: Movement) {
  const { amount, net, fee, currency } = movement;
  return {
    id: movement.id,
    amount: toMajorUnits(amount, currency),
    net_amount: net === null ? null : toMajorUnits(net, currency),
    fee: fee === null ? null : toMajorUnits(fee, currency),
    currency,
    status: movement.status,
    transaction_date: isoTime(movement.transactionDate),
    description: movement.description,
    environment: movement.environment,
    type: movement.type,
    is_subscription: movement.isSubscription,
    client_reference_id: movement.clientReferenceId,
    payment_intent_id: movement.paymentIntentId,
  };
}
