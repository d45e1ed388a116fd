import * as z from "zod";
import { isoTimeOrNull } from "../../../core/clock.ts";
import { type ProcessorItem, processorItemSchema, viewProcessorItem } from "../../../views/processor-item.ts";
import { defineEvent, type EventDefinition, type Recipient } from "./define-event.ts";

/** A subscription with a known owner. Times in Unix milliseconds. */
export interface SubscriptionEventFacts extends Recipient {
  readonly id: string;
  readonly status: string;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly currentPeriodEnd: number | null;
  readonly collectionPaused: boolean;
  readonly paymentLinkId: string | null;
  readonly clientReferenceId: string | null;
  readonly items: readonly ProcessorItem[];
  /** Distinguishes events of one name that can repeat; null for an event that happens once. */
  readonly discriminator: string | null;
}

const subscriptionSchema = z
  .object({
    id: z.string(),
    status: z.string().describe("The processor's status, such as active, trialing, past_due or canceled"),
    cancel_at_period_end: z.boolean(),
    cancel_at: z.iso.datetime().nullable().describe("When it is scheduled to end; null if it renews"),
    current_period_end: z.iso.datetime().nullable(),
    collection_paused: z.boolean().describe("Whether the processor currently collects no payments; the status does not change"),
    payment_link_id: z.string().nullable().describe("plink_…: the link that started it; null without a link, or if unknown"),
    client_reference_id: z
      .string()
      .nullable()
      .describe("Your order reference from the checkout that started it; null without one, or if unknown"),
    items: z.array(processorItemSchema),
  })
  .meta({ title: "Subscription" });
type SubscriptionView = z.infer<typeof subscriptionSchema>;

const PERIOD_END = "2026-12-20T08:29:58.000Z";
const active: SubscriptionView = {
  id: "sub_1QaZx7",
  status: "active",
  cancel_at_period_end: false,
  cancel_at: null,
  current_period_end: PERIOD_END,
  collection_paused: false,
  payment_link_id: "plink_1NoPq5",
  client_reference_id: "order-2041",
  items: [{ processor_product_id: "prod_QwErTy", processor_price_id: "price_1NoPq5", quantity: 1 }],
};

/** The events about a subscription (interface W.3). */
export const subscriptionEvents = {
  started: ofSubscription("subscription.started", "A subscription is active, or in its trial", active),
  updated: ofSubscription(
    "subscription.updated",
    "A subscription's end, status or items changed, or its collection was paused or resumed",
    { ...active, cancel_at_period_end: true, cancel_at: PERIOD_END },
  ),
  ended: ofSubscription("subscription.ended", "A subscription is over", { ...active, status: "canceled" }),
} as const;

export type SubscriptionEvent = (typeof subscriptionEvents)[keyof typeof subscriptionEvents];

function ofSubscription(name: string, summary: string, subscription: SubscriptionView): EventDefinition<SubscriptionEventFacts> {
  return defineEvent({
    name: `Processor.${name}`,
    summary,
    payload: { subscription: subscriptionSchema },
    example: { subscription },
    causeOf: ({ id, discriminator }: SubscriptionEventFacts) => [name, id, ...(discriminator === null ? [] : [discriminator])].join(":"),
    view: (facts) => ({ subscription: viewSubscription(facts) }),
  });
}

function viewSubscription(facts: SubscriptionEventFacts): SubscriptionView {
  const { id, status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd, collectionPaused, paymentLinkId, clientReferenceId, items } = facts;
  return {
    id,
    status,
    cancel_at_period_end: cancelAtPeriodEnd,
    cancel_at: isoTimeOrNull(cancelAt),
    current_period_end: isoTimeOrNull(currentPeriodEnd),
    collection_paused: collectionPaused,
    payment_link_id: paymentLinkId,
    client_reference_id: clientReferenceId,
    items: items.map(viewProcessorItem),
  };
}
