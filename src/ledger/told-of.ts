import { type PartnerEvent, type TransactionEventName, transactionEvent } from "../notifications/events.ts";
import type { PaymentFacts } from "../processor/facts.ts";
import { type Movement, transactionOf } from "./movement.ts";

/**
 * What a partner is told of its movements, each thing once however often it is looked at: the cause names it. Nobody
 * is told of a movement whose partner is not known.
 */
export function toldOf(movements: readonly Movement[], facts: Pick<PaymentFacts, "dispute">): PartnerEvent[] {
  return movements.flatMap((movement) => {
    const { partnerId, environment } = movement;
    if (partnerId === null) return [];
    return namesOf(movement, facts).map((name) => transactionEvent(name, partnerId, environment, transactionOf(movement)));
  });
}

function namesOf({ type, status }: Movement, { dispute }: Pick<PaymentFacts, "dispute">): TransactionEventName[] {
  switch (type) {
    case "processor_payment_in":
      return status === "completed" ? ["payment.succeeded"] : status === "pending" ? ["payment.pending"] : ["payment.failed"];
    case "processor_refund":
      return status === "refunded" ? ["refund.succeeded"] : status === "failed" ? ["refund.failed"] : [];
    case "processor_dispute_freeze":
      return dispute?.isLost === true ? ["dispute.opened", "dispute.lost"] : ["dispute.opened"];
    case "processor_dispute_return":
      return ["dispute.won"];
    // What takes a failed payment or refund back is told with what failed.
    case "processor_payment_failure":
    case "processor_refund_failure":
    case null:
      return [];
  }
}
