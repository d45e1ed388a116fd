import type { Environment } from "../core/environment.ts";
import type { BalanceTransaction, PaymentFacts } from "../processor/facts.ts";
import { type Movement, type MovementType, movementId } from "./movement.ts";

/**
 * The movements that a look at a payment shows: one for each balance transaction, and none where the processor has
 * computed none yet, since a movement is named after it. A charge, a refund and a dispute each have their own, so a
 * refund or a dispute never changes the payment's (interface, "Transaction status").
 *
 * What fails after it was counted is shown as failed, and so is the row that takes it back: whoever adds up all rows,
 * and whoever leaves the failed ones out, comes to the same sum.
 */
export function movementsOf(facts: PaymentFacts, environment: Environment, partnerId: string | null): Movement[] {
  const { charge, refund, dispute, transaction } = facts;
  const rows: Movement[] = [];
  const add = (moved: BalanceTransaction | null, type: MovementType | null, status: Movement["status"], sourceId: string | null) => {
    if (moved !== null) rows.push({ ...own(moved), type, status, sourceId, ...shared });
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
    const [type, status] = inDispute(moved, dispute?.verdict === "won");
    add(moved, type, status, dispute?.id ?? null);
  }
  // What was asked for by its own id and is nobody's: kept all the same, without a type.
  const isCovered = transaction === null || rows.some(({ id }) => id === movementId(transaction.id));
  if (!isCovered) add(transaction, null, "completed", (refund ?? dispute ?? charge)?.id ?? null);
  return rows;
}

/**
 * What a dispute's transaction is. Beside what is withdrawn and given back there are small ones that set right, for
 * example, an exchange rate; and a part may be given back of a dispute that was lost.
 */
function inDispute({ amount, category }: BalanceTransaction, isWon: boolean): [MovementType | null, Movement["status"]] {
  if (amount < 0 && category === "dispute") return ["processor_dispute_freeze", "disputed"];
  if (amount > 0 && category === "dispute_reversal") return ["processor_dispute_return", isWon ? "dispute_won" : "completed"];
  return [null, "completed"];
}

function own({ id, amount, fee, net, currency, created, description }: BalanceTransaction) {
  return { id: movementId(id), amount, fee, net, currency, transactionDate: created, description };
}
