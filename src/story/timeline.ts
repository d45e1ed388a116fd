import { wordsOfActor } from "../audit/actions.ts";
import { isoTime, SECOND } from "../core/clock.ts";
import { moneyText } from "../core/money.ts";
import { clientKeyOf } from "../idempotency/key.ts";
import type { ListedLink } from "../links/admin/links.ts";
import { deliveryEntries } from "./delivery-entries.ts";
import { type Help, helpByCall, idsOf, NOTHING_WRONG, type StoryEntry } from "./entry.ts";
import type { OrderHistory } from "./order-history.ts";
import { actEntries, isDisabling, lookUpEntries, partnerEntries } from "./state-entries.ts";

/** The collected objects as one timeline, in strict time order. `now` in Unix milliseconds. */
export function toTimeline(gathered: OrderHistory, now: number): StoryEntry[] {
  const entries = [
    ...tellRequests(gathered),
    ...tellLinks(gathered),
    ...tellMovements(gathered),
    ...tellSubscriptions(gathered),
    ...tellBankOrders(gathered),
    ...lookUpEntries(gathered, now),
    ...deliveryEntries(gathered, now),
    ...partnerEntries(gathered, now),
    ...actEntries(gathered),
  ];
  return entries.toSorted((left, right) => left.at - right.at);
}

function tellRequests({ records }: OrderHistory): StoryEntry[] {
  return [...records.values()].flatMap((record) => {
    const { id, operation, createdAt, requestId, key } = record;
    const last = requestId.startsWith(BY_CRON) ? "the service finished it by itself" : `its last request id is ${requestId}`;
    const says = `A request of ${operation} came under ${keyOf(key)}; ${last}.`;
    const entry = { kind: "request", id, objects: [] } as const;
    return [
      { ...entry, at: createdAt, says, wrong: null, help: explanationOf(record) },
      { ...entry, ...outcomeOf(record) },
    ];
  });
}

/** The prefix of the request id of a run that the cron resumed. */
const BY_CRON = "cron_";

type StoredRecord = OrderHistory["records"] extends ReadonlyMap<string, infer One> ? One : never;

function outcomeOf(record: StoredRecord): Pick<StoryEntry, "at" | "says" | "wrong" | "help"> {
  const at = record.completedAt ?? record.updatedAt;
  const noResult = "This attempt gave no result.";
  switch (record.state) {
    case "completed":
      return { at, says: "The request was carried out.", ...NOTHING_WRONG };
    case "running":
      return { at, says: "The record was last updated.", wrong: "It has no result: it is running, or was interrupted.", help: null };
    case "awaiting_short_link":
      // The link's own entry names the solution.
      return { at, says: "The short link could not be created.", wrong: "The link waits for its short link.", help: null };
    case "failed":
      return { at, says: "The attempt failed.", wrong: noResult, help: explanationOf(record) };
    case "failed_terminal":
      return { at, says: "The attempt failed permanently.", wrong: noResult, help: explanationOf(record) };
  }
}

/** A request without a client key cannot be found by one. */
function explanationOf({ key, partnerId, operation }: StoredRecord): Help | null {
  const sent = clientKeyOf(key);
  return sent === null ? null : helpByCall("explain", { partner: partnerId, operation, key: sent.text });
}

/** A client key is shown; a fingerprint would mean nothing to a reader. */
function keyOf(key: string): string {
  const sent = clientKeyOf(key);
  return sent === null ? "no key" : `the ${sent.kind} ${sent.text}`;
}

function tellLinks({ links, records, acts }: OrderHistory): StoryEntry[] {
  return [...links.values()].flatMap((link) => {
    const entry = { kind: "payment_link", id: link.id, objects: [] } as const;
    // The link of a compensated attempt never gets a short link.
    const waits = link.recordId !== null && records.get(link.recordId)?.state === "awaiting_short_link";
    const made: StoryEntry = {
      ...entry,
      at: link.createdAt,
      says: `A link in ${link.currency} was made (${link.mode}, ${link.environment})${link.slug === null ? "" : `, with the short link ${link.slug}`}.`,
      wrong: link.slug === null ? "It has no short link." : null,
      help: waits ? helpByCall("short-links complete", { link: link.id }) : null,
    };
    const closed = link.closedAt === null ? [] : [{ ...entry, at: link.closedAt, says: closedBecause(link), wrong: null, help: null }];
    if (link.disabledAt === null) return [made, ...closed];
    const help = helpByCall("payment-links enable", { link: link.id });
    const act = acts.find((one) => one.target === link.id && isDisabling(one, link));
    const by = act !== undefined ? wordsOfActor(act.actor) : link.disabledBy === "partner" ? "its partner" : "an operator";
    const disabled = { ...entry, at: link.disabledAt, says: `The link was disabled by ${by}.`, wrong: "Customers cannot pay by it.", help };
    return [made, ...closed, disabled];
  });
}

const closedBecause = ({ maxPayments }: Pick<ListedLink, "maxPayments">): string =>
  `The link was closed: it had the ${maxPayments === 1 ? "payment" : `${maxPayments} payments`} that it was for.`;

function tellMovements({ movements, links, records }: OrderHistory): StoryEntry[] {
  const ours = [
    ...[...links.values()].map(({ createdAt }) => createdAt),
    ...[...records.values()].flatMap(({ completedAt }) => completedAt ?? []),
  ];
  return [...movements.values()].flatMap((movement) => {
    const { id, amount, currency, clientReferenceId, paymentIntentId, sourceId, subscriptionId, transactionDate, updatedAt } = movement;
    const asked = paymentIntentId ?? sourceId;
    const isLost = movement.partnerId === null;
    const entry = { kind: "movement", id, objects: idsOf(paymentIntentId, sourceId, subscriptionId) } as const;
    const order = clientReferenceId === null ? "" : `, order ${clientReferenceId}`;
    return [
      {
        ...entry,
        at: withinSecond(transactionDate, ours),
        says: `${nameOf(movement.type)} of ${moneyText(Math.abs(amount), currency)}${order}.`,
        ...NOTHING_WRONG,
      },
      {
        ...entry,
        at: Math.max(updatedAt, withinSecond(transactionDate, ours)),
        says: `Its status at the processor was ${movement.status}.`,
        wrong: isLost ? "It has no owner." : null,
        help: isLost && asked !== null ? helpByCall("ledger refresh", { environment: movement.environment, id: asked }) : null,
      },
    ];
  });
}

/** The processor's times are in seconds. Within one second, its reports come after our own entries. */
function withinSecond(second: number, ours: readonly number[]): number {
  return Math.max(second, ...ours.filter((at) => at - (at % SECOND) === second));
}

/** `processor_payment_in` is a payment. */
function nameOf(type: string | null): string {
  const words = (type ?? "movement")
    .replace(/^processor_/, "")
    .replace(/_in$/, "")
    .replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function tellSubscriptions({ subscriptions }: OrderHistory): StoryEntry[] {
  return [...subscriptions.values()].map((one) => ({
    ...NOTHING_WRONG,
    at: one.updatedAt,
    kind: "subscription",
    id: one.id,
    objects: idsOf(one.paymentLinkId),
    says: `The subscription's last known status is ${one.status}${endOf(one)}.`,
  }));
}

function endOf({ cancelAtPeriodEnd, cancelAt }: { readonly cancelAtPeriodEnd: boolean; readonly cancelAt: number | null }): string {
  if (cancelAtPeriodEnd) return ", to end with its period";
  return cancelAt === null ? "" : `, to end at ${isoTime(cancelAt)}`;
}

function tellBankOrders({ bankOrders }: OrderHistory): StoryEntry[] {
  return [...bankOrders].flatMap(([orderId, { payment, notifications }]) => [
    ...(payment === null ? [] : tellBankPayment(payment)),
    ...notifications.map((one): StoryEntry => {
      const problem = one.problem ?? (payment === null ? "none of our payments has this order" : null);
      return {
        at: one.receivedAt,
        kind: "bank_notification",
        id: one.id,
        objects: [orderId],
        says: `The bank reported ${one.status} (terminal ${one.terminal}, ${one.environment}).`,
        wrong: problem === null ? null : `It was not applied: ${problem}.`,
        help:
          problem === null
            ? null
            : payment === null
              ? helpByCall("bank-notifications waiting", {})
              : helpByCall("bank-orders refresh", { order: orderId }),
      };
    }),
  ]);
}

type BankPayment = NonNullable<
  OrderHistory["bankOrders"] extends ReadonlyMap<string, infer One extends { payment: unknown }> ? One["payment"] : never
>;

function tellBankPayment(payment: BankPayment): StoryEntry[] {
  const { orderId, bankPaymentId, amountKopecks, externalOrderId, createdAt, paidAt, updatedAt, status } = payment;
  const entry = { ...NOTHING_WRONG, kind: "bank_payment", id: orderId, objects: [bankPaymentId] } as const;
  const order = externalOrderId === null ? "" : `, order ${externalOrderId}`;
  return [
    { ...entry, at: createdAt, says: `A payment of ${moneyText(amountKopecks, "RUB")} was opened at the bank${order}.` },
    ...(paidAt === null ? [] : [{ ...entry, at: paidAt, says: "It was seen as paid for the first time." }]),
    ...(updatedAt === createdAt ? [] : [{ ...entry, at: updatedAt, says: `Its status at the bank was ${status}.` }]),
  ];
}
