import { z } from "zod";
import { parseJson } from "../core/json.ts";
import type { PaymentSource } from "../processor/facts.ts";

/** What an event is about; it is looked at anew, so an event says nothing but where to look. */
export type Subject = PaymentSource | { readonly kind: "subscription"; readonly id: string } | { readonly kind: "nothing" };

interface StoredEvent {
  readonly type: string;
  readonly objectId: string;
  readonly payload: string;
}

const NOTHING: Subject = { kind: "nothing" };

const own =
  (kind: PaymentSource["kind"] | "subscription") =>
  ({ objectId }: StoredEvent): Subject => ({ kind, id: objectId });

const eventOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ data: z.object({ object: z.object(shape) }) });
const sessionEvent = eventOf({ payment_intent: z.string().nullish(), subscription: z.string().nullish() });
const invoiceEvent = eventOf({
  parent: z.object({ subscription_details: z.object({ subscription: z.string() }).nullish() }).nullish(),
});

/** A subscription's session: one that begins with a trial has no charge, and its own events may be lost. */
function ofSession({ payload }: StoredEvent): Subject {
  const { payment_intent: intent, subscription } = parseJson(sessionEvent, payload).data.object;
  if (subscription != null) return { kind: "subscription", id: subscription };
  return intent == null ? NOTHING : { kind: "payment_intent", id: intent };
}

function ofInvoice({ payload }: StoredEvent): Subject {
  const id = parseJson(invoiceEvent, payload).data.object.parent?.subscription_details?.subscription;
  return id === undefined ? NOTHING : { kind: "subscription", id };
}

/**
 * The processor's events that tell of money or of a subscription. Those whose type is listed here are also asked for
 * where they never came: together they leave nothing out, and the processor takes 20 types in one question.
 */
const EVENTS: Readonly<Record<string, (event: StoredEvent) => Subject>> = {
  "charge.succeeded": own("charge"),
  "charge.pending": own("charge"),
  "charge.failed": own("charge"),
  "charge.updated": own("charge"),
  "refund.created": own("refund"),
  "refund.updated": own("refund"),
  "refund.failed": own("refund"),
  "charge.dispute.created": own("dispute"),
  "charge.dispute.updated": own("dispute"),
  "charge.dispute.closed": own("dispute"),
  "charge.dispute.funds_withdrawn": own("dispute"),
  "charge.dispute.funds_reinstated": own("dispute"),
  "checkout.session.completed": ofSession,
  "invoice.paid": ofInvoice,
  "customer.subscription.created": own("subscription"),
  "customer.subscription.updated": own("subscription"),
  "customer.subscription.deleted": own("subscription"),
};

/** Events that say again what one of those says; taken where they come, and not missed where they do not. */
const ECHOES: typeof EVENTS = {
  "payment_intent.succeeded": own("payment_intent"),
  "payment_intent.processing": own("payment_intent"),
  "checkout.session.async_payment_succeeded": ofSession,
  "checkout.session.async_payment_failed": ofSession,
  "charge.refund.updated": own("refund"),
};

/** The type of the event that the sweep makes of a balance transaction which the ledger lacks. */
export const TRANSACTION_FOUND = "balance_transaction.found";

const ALL = new Map(Object.entries({ ...EVENTS, ...ECHOES, [TRANSACTION_FOUND]: own("balance_transaction") }));

/** The types of events that must not be missed. */
export const neededEventTypes: readonly string[] = Object.keys(EVENTS);

/** What a stored event is about; nothing for one that tells of nothing which is recorded. */
export function subjectOf(event: StoredEvent): Subject {
  return ALL.get(event.type)?.(event) ?? NOTHING;
}

/** What an id of the processor's names; nothing where that is not recorded. For people, who have but the id. */
export function subjectOfId(id: string): Subject {
  const kind = PREFIXES.get(/^([a-z]+)_[A-Za-z0-9_]+$/.exec(id)?.[1] ?? "");
  return kind === undefined ? NOTHING : { kind, id };
}

const PREFIXES: ReadonlyMap<string, PaymentSource["kind"] | "subscription"> = new Map([
  ["ch", "charge"],
  ["py", "charge"],
  ["re", "refund"],
  ["pyr", "refund"],
  ["du", "dispute"],
  ["dp", "dispute"],
  ["pi", "payment_intent"],
  ["txn", "balance_transaction"],
  ["sub", "subscription"],
]);
