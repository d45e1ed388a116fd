import type { PaymentFacts } from "../processor/facts.ts";
import type { PartnerEvent } from "../webhooks/outbox/events/define-event.ts";
import { type TransactionEvent, transactionEvents } from "../webhooks/outbox/events/transaction-events.ts";
import type { Attribution } from "./attribution.ts";
import type { Movement } from "./movement.ts";

/** A partner event, and the movement that caused it. */
export interface CausedEvent {
  readonly event: PartnerEvent;
  readonly movement: Movement;
}

/**
 * The partner events of these movements. An event is sent once, however often the payment is refreshed, because its
 * cause identifies it. Without a known owner there are none.
 */
export async function partnerEventsOf(
  attribution: Attribution,
  movements: readonly Movement[],
  { dispute, discount }: Pick<PaymentFacts, "dispute" | "discount">,
): Promise<CausedEvent[]> {
  if (attribution.partnerId === null) return [];
  const { partnerId, idCode } = attribution;
  const outcome = dispute?.outcome ?? null;
  // A dispute causes each event once, however many balance transactions it has.
  const newestFirst = movements.toSorted((left, right) => right.transactionDate - left.transactionDate || (left.id < right.id ? 1 : -1));
  const earliestByType = new Map(newestFirst.map((movement) => [movement.type, movement]));
  const caused = movements.flatMap((movement) => {
    const definitions = eventsOf(movement, earliestByType.get(movement.type) === movement, outcome);
    return definitions.map(async (definition) => ({
      event: await definition.make(idCode, { ...movement, partnerId, discount, dispute }),
      movement,
    }));
  });
  return Promise.all(caused);
}

function eventsOf({ type, status }: Movement, isEarliest: boolean, outcome: "won" | "lost" | null): TransactionEvent[] {
  const { paymentSucceeded, paymentPending, paymentFailed, refundSucceeded, refundFailed, disputeOpened, disputeWon, disputeLost } =
    transactionEvents;
  switch (type) {
    case "processor_payment_in":
      return [status === "completed" ? paymentSucceeded : status === "pending" ? paymentPending : paymentFailed];
    case "processor_refund":
      return status === "refunded" ? [refundSucceeded] : status === "failed" ? [refundFailed] : [];
    case "processor_dispute_freeze":
      return isEarliest ? [disputeOpened, ...(outcome === "lost" ? [disputeLost] : [])] : [];
    case "processor_dispute_return":
      return isEarliest && outcome === "won" ? [disputeWon] : [];
    // The reversal of a failed payment or refund has no event of its own: the event of the failure covers it.
    case "processor_payment_failure":
    case "processor_refund_failure":
    case null:
      return [];
  }
}
