import { z } from "zod";
import { type EventName, eventNames } from "../../notifications/events.ts";
import { transaction } from "../v2/transaction.ts";
import { eventExamples } from "./event-examples.ts";

/** What partners are sent, event by event: its words, its shape, an example. */
export interface DescribedEvent {
  readonly summary: string;
  /** The whole body. */
  readonly schema: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
}

const moment = z.iso.datetime();

const subscription = z.object({
  id: z.string(),
  status: z.string().describe("The processor's word for it, such as active, trialing, past_due or canceled"),
  cancel_at_period_end: z.boolean(),
  cancel_at: moment.nullable().describe("When it is set to end; null where it renews"),
  current_period_end: moment.nullable(),
});

const bankPayment = z.object({
  PaymentId: z.int().describe("The payment_id that the creation answered"),
  OrderId: z.string().describe("The order_id that the creation answered"),
  Amount: z.int().describe("In kopecks, of the whole payment"),
  Status: z.enum(["CONFIRMED", "PARTIAL_REFUNDED", "REFUNDED"]),
  Data: z.object({
    ep_order: z.string().nullable().describe("Your external_order_id"),
    ep_product_id: z.null().describe("Null for a cart"),
  }),
});

const ofTransaction = { transaction };
const ofSubscription = { subscription };

/** Each event's own part, beside the envelope. */
const parts: Readonly<Record<EventName, { readonly summary: string; readonly part: z.ZodRawShape }>> = {
  "Processor.payment.succeeded": { summary: "A payment is completed", part: ofTransaction },
  "Processor.payment.pending": { summary: "A payment by a slow method has begun", part: ofTransaction },
  "Processor.payment.failed": { summary: "A slow payment failed after all", part: ofTransaction },
  "Processor.refund.succeeded": { summary: "A refund went out", part: ofTransaction },
  "Processor.refund.failed": { summary: "A refund failed and its money came back", part: ofTransaction },
  "Processor.dispute.opened": { summary: "A customer's bank took the money back", part: ofTransaction },
  "Processor.dispute.won": { summary: "Disputed money came back", part: ofTransaction },
  "Processor.dispute.lost": { summary: "Disputed money will not come back", part: ofTransaction },
  "Processor.subscription.started": { summary: "A subscription is active, or in its trial", part: ofSubscription },
  "Processor.subscription.updated": { summary: "A subscription's end or status changed", part: ofSubscription },
  "Processor.subscription.ended": { summary: "A subscription is over", part: ofSubscription },
  "Processor.payment_method.refused": {
    summary: "The processor refused methods of a link, which was made without them",
    part: { payment_link_id: z.string(), refused_payment_method_types: z.array(z.string()).min(1) },
  },
  "Bank.payment.succeeded": { summary: "A ruble payment was paid", part: { Payment: bankPayment } },
};

/** Every event by its name. */
export const describedEvents: ReadonlyMap<string, DescribedEvent> = new Map(
  eventNames.map((name) => {
    const { summary, part } = parts[name];
    const schema = z.object({
      id: z
        .string()
        .regex(/^evt_[0-9a-f]{32}$/)
        .describe("The same at every attempt: tell doubles apart by it"),
      event: z.literal(name),
      environment: z.enum(["live", "test"]),
      created_at: moment,
      ...part,
    });
    return [name, { summary, schema, example: exampleOf(name) }];
  }),
);

function exampleOf(name: EventName) {
  const created_at = "2026-11-20T08:30:00.000Z";
  return { id: "evt_5b0c6a7f0d3e4a51a3f1c2d4e5f60718", event: name, environment: "live", created_at, ...eventExamples[name] };
}
