import { type PartnerEvent, type TransactionEventName, transactionEvent } from "../notifications/events.ts";
import type { PaymentFacts } from "../processor/facts.ts";
import { type Movement, transactionOf } from "./movement.ts";

/** Something to be told, and the movement that shows it. */
export interface Told {
  readonly event: PartnerEvent;
  readonly movement: Movement;
}

/**
 * What a partner is told of its movements, each thing once however often it is looked at: the cause names it. Nobody
 * is told of a movement whose partner is not known.
 */
export function toldOf(movements: readonly Movement[], { dispute }: Pick<PaymentFacts, "dispute">): Told[] {
  const verdict = dispute?.verdict ?? null;
  // A dispute is one thing, however many transactions it takes.
  const newestFirst = movements.toSorted((left, right) => right.transactionDate - left.transactionDate || (left.id < right.id ? 1 : -1));
  const firsts = new Map(newestFirst.map((movement) => [movement.type, movement]));
  return movements.flatMap((movement) => {
    const { partnerId, environment } = movement;
    if (partnerId === null) return [];
    const names = namesOf(movement, firsts.get(movement.type) === movement, verdict);
    return names.map((name) => ({ event: transactionEvent(name, partnerId, environment, transactionOf(movement)), movement }));
  });
}

function namesOf({ type, status }: Movement, isFirst: boolean, verdict: "won" | "lost" | null): TransactionEventName[] {
  switch (type) {
    case "processor_payment_in":
      return status === "completed" ? ["payment.succeeded"] : status === "pending" ? ["payment.pending"] : ["payment.failed"];
    case "processor_refund":
      return status === "refunded" ? ["refund.succeeded"] : status === "failed" ? ["refund.failed"] : [];
    case "processor_dispute_freeze":
      return isFirst ? ["dispute.opened", ...(verdict === "lost" ? ["dispute.lost" as const] : [])] : [];
    case "processor_dispute_return":
      return isFirst && verdict === "won" ? ["dispute.won"] : [];
    // What takes a failed payment or refund back is told with what failed.
    case "processor_payment_failure":
    case "processor_refund_failure":
    case null:
      return [];
  }
}
