import { z } from "zod";
import { parseJson } from "../core/json.ts";
import type { PaymentSource } from "../processor/facts.ts";

/** The object that an event is about. The object is fetched again, so an event only says what to fetch. */
export type Subject = PaymentSource | { readonly kind: "subscription"; readonly id: string } | { readonly kind: "nothing" };

interface StoredEvent {
  readonly type: string;
  readonly objectId: string;
  readonly payload: string;
}

const NOTHING: Subject = { kind: "nothing" };

const byObjectId =
  (kind: PaymentSource["kind"] | "subscription") =>
  ({ objectId }: StoredEvent): Subject => ({ kind, id: objectId });

const eventOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ data: z.object({ object: z.object(shape) }) });
const sessionEvent = eventOf({ payment_intent: z.string().nullish(), subscription: z.string().nullish() });
const invoiceEvent = eventOf({
  parent: z.object({ subscription_details: z.object({ subscription: z.string() }).nullish() }).nullish(),
});

/**
 * A checkout session refreshes its subscription, if it has one: with a trial there is no first charge, and the
 * subscription's own events may be lost.
 */
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
 * The processor's events about money or subscriptions. Reconciliation also requests these types, to find events that
 * never arrived: together they cover everything, and the processor accepts at most 20 types in one request.
 */
const RECONCILED_EVENTS: Readonly<Record<string, (event: StoredEvent) => Subject>> = {
  "charge.succeeded": byObjectId("charge"),
  "charge.pending": byObjectId("charge"),
  "charge.failed": byObjectId("charge"),
  "charge.updated": byObjectId("charge"),
  "refund.created": byObjectId("refund"),
  "refund.updated": byObjectId("refund"),
  "refund.failed": byObjectId("refund"),
  "charge.dispute.created": byObjectId("dispute"),
  "charge.dispute.updated": byObjectId("dispute"),
  "charge.dispute.closed": byObjectId("dispute"),
  "charge.dispute.funds_withdrawn": byObjectId("dispute"),
  "charge.dispute.funds_reinstated": byObjectId("dispute"),
  "checkout.session.completed": ofSession,
  "invoice.paid": ofInvoice,
  "customer.subscription.created": byObjectId("subscription"),
  "customer.subscription.updated": byObjectId("subscription"),
  "customer.subscription.deleted": byObjectId("subscription"),
};

/**
 * Events that repeat information of the events above. They are processed if they arrive, but not reconciled if they do
 * not.
 */
const REDUNDANT_EVENTS: typeof RECONCILED_EVENTS = {
  "payment_intent.succeeded": byObjectId("payment_intent"),
  "payment_intent.processing": byObjectId("payment_intent"),
  "checkout.session.async_payment_succeeded": ofSession,
  "checkout.session.async_payment_failed": ofSession,
  "charge.refund.updated": byObjectId("refund"),
};

/** The type of the internal event that the sweep creates for a balance transaction missing in the ledger. */
export const TRANSACTION_MISSING = "balance_transaction.missing";

const ALL = new Map(
  Object.entries({ ...RECONCILED_EVENTS, ...REDUNDANT_EVENTS, [TRANSACTION_MISSING]: byObjectId("balance_transaction") }),
);

/** The types of events that must not be missed. */
export const reconciledEventTypes: readonly string[] = Object.keys(RECONCILED_EVENTS);

/** The subject of a stored event; kind `nothing` if there is nothing to record for it. */
export function subjectOf(event: StoredEvent): Subject {
  return ALL.get(event.type)?.(event) ?? NOTHING;
}

/**
 * The subject that a processor id identifies; kind `nothing` if it is not recorded. For operators, who only have the
 * id.
 */
export function subjectOfId(id: string): Subject {
  const kind = ID_PREFIXES.get(/^([a-z]+)_[A-Za-z0-9_]+$/.exec(id)?.[1] ?? "");
  return kind === undefined ? NOTHING : { kind, id };
}

const ID_PREFIXES: ReadonlyMap<string, PaymentSource["kind"] | "subscription"> = new Map([
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
