import type { ProcessorEvent, Source } from "../processor/facts.ts";

/**
 * The processor's events about money or subscriptions, with the source to look up for each: its object is fetched
 * again, so an event only says what to fetch. Reconciliation requests the same types, to find events that never
 * arrived. Together they cover everything, and the processor accepts at most 20 types in one request. A checkout
 * session and an invoice lead to their payment: only with them does the payment of a new subscription show its partner
 * and its reference.
 */
const RECONCILED_EVENTS: Readonly<Record<string, Source["kind"]>> = {
  "charge.succeeded": "charge",
  "charge.pending": "charge",
  "charge.failed": "charge",
  "charge.updated": "charge",
  "refund.created": "refund",
  "refund.updated": "refund",
  "refund.failed": "refund",
  "charge.dispute.created": "dispute",
  "charge.dispute.updated": "dispute",
  "charge.dispute.closed": "dispute",
  "charge.dispute.funds_withdrawn": "dispute",
  "charge.dispute.funds_reinstated": "dispute",
  "checkout.session.completed": "checkout_session",
  "invoice.paid": "invoice",
  "customer.subscription.created": "subscription",
  "customer.subscription.updated": "subscription",
  "customer.subscription.deleted": "subscription",
};

/**
 * Events that repeat information of the events above. They are processed if they arrive, but not reconciled if they do
 * not.
 */
const REDUNDANT_EVENTS: typeof RECONCILED_EVENTS = {
  "payment_intent.succeeded": "payment_intent",
  "payment_intent.processing": "payment_intent",
  "checkout.session.async_payment_succeeded": "checkout_session",
  "checkout.session.async_payment_failed": "checkout_session",
  "charge.refund.updated": "refund",
};

/**
 * A checkout that ended unpaid: news for partners that ask for it, and no money. It is not reconciled, since most checkouts of the
 * account end so, and nearly none of them is recorded.
 */
export const CHECKOUT_EXPIRED = "checkout.session.expired";

/** The types of the internal events that the sweeps create for objects without an event. */
export const TRANSACTION_MISSING = "balance_transaction.missing";
export const SUBSCRIPTION_MISSING = "subscription.missing";

const KINDS = new Map(
  Object.entries({
    ...RECONCILED_EVENTS,
    ...REDUNDANT_EVENTS,
    [CHECKOUT_EXPIRED]: "checkout_session",
    [TRANSACTION_MISSING]: "balance_transaction",
    [SUBSCRIPTION_MISSING]: "subscription",
  } as const),
);

/** The types of events that must not be missed. */
export const reconciledEventTypes: readonly string[] = Object.keys(RECONCILED_EVENTS);

/** The types of events that the processor is to send. */
export const sentEventTypes: readonly string[] = [...reconciledEventTypes, CHECKOUT_EXPIRED];

/** The source of an event; null if there is nothing to record for it. */
export function sourceOf({ type, objectId }: Pick<ProcessorEvent, "type" | "objectId">): Source | null {
  const kind = KINDS.get(type);
  return kind === undefined ? null : { kind, id: objectId };
}

/** The source for a processor id; null if nothing is recorded for it. For operators, who only have the id. */
export function sourceOfId(id: string): Source | null {
  const kind = ID_PREFIXES.get(/^([a-z]+)_[A-Za-z0-9_]+$/.exec(id)?.[1] ?? "");
  return kind === undefined ? null : { kind, id };
}

/** The prefixes of the ids that {@link sourceOfId} knows, for messages. */
export const knownIdPrefixes = (): readonly string[] => [...ID_PREFIXES.keys()].map((prefix) => `${prefix}_`);

const ID_PREFIXES: ReadonlyMap<string, Source["kind"]> = new Map([
  ["ch", "charge"],
  ["py", "charge"],
  ["pi", "payment_intent"],
  ["re", "refund"],
  ["pyr", "refund"],
  ["du", "dispute"],
  ["dp", "dispute"],
  ["txn", "balance_transaction"],
  ["cs", "checkout_session"],
  ["in", "invoice"],
  ["sub", "subscription"],
]);
