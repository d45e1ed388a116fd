import { isoTime } from "../core/clock.ts";
import { toMajorUnits } from "../core/money.ts";
import { movementStatuses, type movements, movementTypes } from "../db/schema/ledger.ts";

export { movementStatuses, movementTypes };

/** What moved money; null in a movement where nobody can say. */
export type MovementType = NonNullable<Movement["type"]>;

export type Movement = Omit<typeof movements.$inferSelect, "updatedAt">;

/** A movement is named after its balance transaction, and so never told of twice. */
export function movementId(balanceTransactionId: string): string {
  return `processor:${balanceTransactionId}`;
}

/** The balance transaction that a movement is named after. */
export function transactionIdOf(id: string): string {
  return id.replace(/^processor:/, "");
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
