import type { Environment } from "../core/environment.ts";
import type { BalanceTransaction, ChargeFacts, PaymentFacts } from "../processor/facts.ts";
import { type Movement, type MovementType, movementId } from "./movement.ts";

/**
 * The movements that follow from the facts of a payment: one for each balance transaction. There is none until the
 * processor has computed a balance transaction, because the movement id is derived from it. A charge, a refund and a
 * dispute each have their own movements, so a refund or a dispute never changes the movement of the payment (interface
 * P.4).
 *
 * If something fails after it was booked, its movement and the reversing movement are both shown as failed. So the sum
 * of all rows is the same with and without the failed rows.
 */
export function movementsOf(facts: PaymentFacts, environment: Environment, partnerId: string | null): Movement[] {
  const { charge, refund, dispute, transaction } = facts;
  const rows: Movement[] = [];
  const add = (
    moved: BalanceTransaction | null,
    type: MovementType | null,
    status: Movement["status"],
    source: { readonly id: string } | null,
    charged: Charged | null,
  ) => {
    if (moved === null) return;
    rows.push({ ...fieldsOf(moved), type, status, sourceId: source?.id ?? null, ...chargedFields(charged, moved.amount), ...shared });
  };
  const shared = sharedFields(facts, environment, partnerId);

  if (charge !== null) {
    const described = charge.transaction && { ...charge.transaction, description: charge.description };
    add(described, "processor_payment_in", charge.status === "succeeded" ? "completed" : charge.status, charge, charge);
    add(charge.failureTransaction, "processor_payment_failure", "failed", charge, charge);
  }
  if (refund !== null) {
    add(refund.transaction, "processor_refund", refund.status === "succeeded" ? "refunded" : refund.status, refund, refund);
    add(refund.failureTransaction, "processor_refund_failure", "failed", refund, refund);
  }
  if (dispute !== null)
    for (const moved of dispute.transactions) {
      const [type, status] = classifyDisputeTransaction(moved, dispute.outcome === "won");
      add(moved, type, status, dispute, type !== null && coversAll(moved, dispute) ? dispute : null);
    }
  const isCovered = transaction === null || rows.some(({ id }) => id === movementId(transaction.id));
  if (!isCovered) {
    const [type, status] = REVERSALS.get(transaction.type) ?? [null, "completed"];
    add(transaction, type, status, refund ?? dispute ?? charge, null);
  }
  return rows;
}

/**
 * Whether a transaction of a dispute covers all that is disputed. One with several withdrawals, or a correction, does not say which part of
 * the charge each one covers. What came back by the only return of a dispute that was won is all of it, although in another currency the
 * rate has changed since, and with it the amount.
 */
function coversAll(moved: BalanceTransaction, { transactions, outcome, currency }: NonNullable<PaymentFacts["dispute"]>): boolean {
  const [withdrawal, ...more] = transactions.filter(({ amount }) => amount < 0);
  if (withdrawal === undefined || more.length > 0) return false;
  if (Math.abs(moved.amount) === -withdrawal.amount) return true;
  return outcome === "won" && transactions.filter(({ amount }) => amount > 0).length === 1 && moved.currency !== currency;
}

/**
 * A refund that failed before it was booked, in the form of a movement; null for any other. No money moved, so it is
 * sent as an event and never stored. Its amount is the planned refund, in the payment's currency.
 */
export function unbookedRefundOf(facts: PaymentFacts, environment: Environment, partnerId: string | null): Movement | null {
  const { refund } = facts;
  if (refund?.status !== "failed" || refund.transaction !== null) return null;
  return {
    id: movementId(refund.id),
    amount: -refund.amount,
    fee: null,
    net: null,
    currency: refund.currency,
    ...chargedFields(refund, -1),
    transactionDate: refund.created,
    availableAt: null,
    description: null,
    type: "processor_refund",
    status: "failed",
    sourceId: refund.id,
    ...sharedFields(facts, environment, partnerId),
  };
}

/** The amount that the customer was charged, or given back. */
type Charged = Pick<ChargeFacts, "amount" | "currency">;

/** Signed as the movement. */
function chargedFields(charged: Charged | null, signed: number): Pick<Movement, "chargedAmount" | "chargedCurrency"> {
  if (charged === null) return { chargedAmount: null, chargedCurrency: null };
  return { chargedAmount: signed < 0 ? -charged.amount : charged.amount, chargedCurrency: charged.currency };
}

function sharedFields(
  { subscriptionId, clientReferenceId, paymentIntentId, paymentLinkId }: PaymentFacts,
  environment: Environment,
  partnerId: string | null,
) {
  return {
    partnerId,
    environment,
    isSubscription: subscriptionId !== null,
    clientReferenceId,
    paymentIntentId,
    paymentLinkId,
    subscriptionId,
  };
}

/**
 * A balance transaction that was requested by its own id, and to which none of the objects refers, is recorded without
 * a type. The processor's reversal types are unambiguous.
 */
const REVERSALS: ReadonlyMap<string, [MovementType, Movement["status"]]> = new Map([
  ["payment_failure_refund", ["processor_payment_failure", "failed"]],
  ["refund_failure", ["processor_refund_failure", "failed"]],
]);

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

function fieldsOf({ id, amount, fee, net, currency, created, availableAt, description }: BalanceTransaction) {
  return { id: movementId(id), amount, fee, net, currency, transactionDate: created, availableAt, description };
}
