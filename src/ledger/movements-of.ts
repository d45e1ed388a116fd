import type { Environment } from "../core/environment.ts";
import type { BalanceTransaction, PaymentFacts } from "../processor/facts.ts";
import { type Movement, type MovementType, movementId } from "./movement.ts";

/**
 * The movements that the facts of a payment show: one for each balance transaction. There is none while the processor
 * has not computed a balance transaction yet, since the movement id is derived from it. A charge, a refund and a
 * dispute each have their own movements, so a refund or a dispute never changes the movement of the payment
 * (interface P.4).
 *
 * If something fails after it was booked, its movement and the movement that reverses it are both shown as failed. So
 * the sum of all rows is the same with and without the failed rows.
 */
export function movementsOf(facts: PaymentFacts, environment: Environment, partnerId: string | null): Movement[] {
  const { charge, refund, dispute, transaction } = facts;
  const rows: Movement[] = [];
  const add = (moved: BalanceTransaction | null, type: MovementType | null, status: Movement["status"], sourceId: string | null) => {
    if (moved !== null) rows.push({ ...fieldsOf(moved), type, status, sourceId, ...shared });
  };
  const shared = {
    partnerId,
    environment,
    isSubscription: facts.subscriptionId !== null,
    clientReferenceId: facts.clientReferenceId,
    paymentIntentId: facts.paymentIntentId,
    subscriptionId: facts.subscriptionId,
  };

  if (charge !== null) {
    const described = charge.transaction && { ...charge.transaction, description: charge.description };
    add(described, "processor_payment_in", charge.status === "succeeded" ? "completed" : charge.status, charge.id);
    add(charge.failureTransaction, "processor_payment_failure", "failed", charge.id);
  }
  if (refund !== null) {
    add(refund.transaction, "processor_refund", refund.status === "succeeded" ? "refunded" : refund.status, refund.id);
    add(refund.failureTransaction, "processor_refund_failure", "failed", refund.id);
  }
  for (const moved of dispute?.transactions ?? []) {
    const [type, status] = classifyDisputeTransaction(moved, dispute?.outcome === "won");
    add(moved, type, status, dispute?.id ?? null);
  }
  // A balance transaction that was requested by its own id and belongs to none of these is recorded without a type.
  const isCovered = transaction === null || rows.some(({ id }) => id === movementId(transaction.id));
  if (!isCovered) add(transaction, null, "completed", (refund ?? dispute ?? charge)?.id ?? null);
  return rows;
}

/**
 * The type and status of a dispute's balance transaction. Besides withdrawals and returns, there are small corrections,
 * for example of an exchange rate. A part can also be returned after a lost dispute.
 */
function classifyDisputeTransaction(
  { amount, reportingCategory }: BalanceTransaction,
  isWon: boolean,
): [MovementType | null, Movement["status"]] {
  if (amount < 0 && reportingCategory === "dispute") return ["processor_dispute_freeze", "disputed"];
  if (amount > 0 && reportingCategory === "dispute_reversal") return ["processor_dispute_return", isWon ? "dispute_won" : "completed"];
  return [null, "completed"];
}

function fieldsOf({ id, amount, fee, net, currency, created, description }: BalanceTransaction) {
  return { id: movementId(id), amount, fee, net, currency, transactionDate: created, description };
}
