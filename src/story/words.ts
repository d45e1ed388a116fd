import { isoTime, SECOND } from "../core/clock.ts";
import { toMajorUnits } from "../core/money.ts";
import { clientKeyOf } from "../idempotency/key.ts";
import type { Gathered } from "./gather.ts";

/** One thing that happened, or that will. */
export interface StoryEntry {
  /** Unix milliseconds. */
  readonly at: number;
  readonly kind: "request" | "payment_link" | "movement" | "subscription" | "bank_payment" | "bank_notification" | "event" | "delivery";
  readonly id: string;
  readonly says: string;
  /** What is wrong here. Null where all is well. */
  readonly wrong: string | null;
  /** The operators' call that helps. */
  readonly help: Help | null;
}

/** A call, by the words of its command, with all that it takes. */
export interface Help {
  readonly command: string;
  readonly given: Readonly<Record<string, string>>;
}

const fine = { wrong: null, help: null } as const;

function help(command: string, given: Help["given"]): Help {
  return { command, given };
}

/** What was gathered as one story, oldest first. `now` in Unix milliseconds. */
export function tell(gathered: Gathered, now: number): StoryEntry[] {
  const entries = [
    ...requests(gathered),
    ...links(gathered),
    ...movements(gathered),
    ...subscriptions(gathered),
    ...bankOrders(gathered),
    ...deliveries(gathered, now),
  ];
  return entries.toSorted((left, right) => orderOf(left) - orderOf(right));
}

/** The processor counts in seconds, so what it says of one comes after what was stored here in the same second. */
function orderOf({ kind, at }: StoryEntry): number {
  return kind === "movement" ? at + SECOND - 1 : at;
}

function requests({ records }: Gathered): StoryEntry[] {
  return [...records.values()].flatMap((record) => {
    const { id, operation, createdAt, requestId, key } = record;
    const last = requestId.startsWith(BY_CRON) ? "the cron finished it" : `its last request id is ${requestId}`;
    const says = `A request of ${operation} came under ${keyOf(key)}; ${last}.`;
    return [
      { kind: "request", id, at: createdAt, says, ...fine },
      { kind: "request", id, ...outcomeOf(record) },
    ];
  });
}

/** The request of a run that the cron has resumed begins with this. */
const BY_CRON = "cron_";

type StoredRecord = Gathered["records"] extends ReadonlyMap<string, infer One> ? One : never;

function outcomeOf(record: StoredRecord): Pick<StoryEntry, "at" | "says" | "wrong" | "help"> {
  const at = record.completedAt ?? record.updatedAt;
  const noResult = "The partner got no result from this attempt.";
  switch (record.state) {
    case "completed":
      return { at, says: "The request was carried out.", ...fine };
    case "running":
      return { at, says: "The record was last written to.", wrong: "It has no result: it is under way, or was cut off.", help: null };
    case "awaiting_short_link":
      // The link's own entry says what helps.
      return { at, says: "The short link could not be made.", wrong: "The link waits for its short link.", help: null };
    case "failed":
      return { at, says: "The attempt failed.", wrong: noResult, help: explanationOf(record) };
    case "failed_terminal":
      return { at, says: "The attempt failed, for good.", wrong: noResult, help: explanationOf(record) };
  }
}

/** A request without a key of the partner's cannot be asked for by it. */
function explanationOf({ key, partnerId, operation }: StoredRecord): Help | null {
  const sent = clientKeyOf(key);
  return sent === null ? null : help("explain", { partner: partnerId, operation, key: sent.text });
}

/** A key of the partner's is shown; a fingerprint means nothing to anybody. */
function keyOf(key: string): string {
  const sent = clientKeyOf(key);
  return sent === null ? "no key" : `the ${sent.kind} ${sent.text}`;
}

function links({ links: found, records }: Gathered): StoryEntry[] {
  return [...found.values()].flatMap((link) => {
    const entry = { kind: "payment_link", id: link.id } as const;
    // An attempt that was undone left a link that never gets one.
    const waits = link.recordId !== null && records.get(link.recordId)?.state === "awaiting_short_link";
    const made: StoryEntry = {
      ...entry,
      at: link.createdAt,
      says: `A link in ${link.currency} was made (${link.mode}, ${link.environment})${link.slug === null ? "" : `, with the short link ${link.slug}`}.`,
      wrong: link.slug === null ? "It has no short link." : null,
      help: waits ? help("short-links complete", { id: link.id }) : null,
    };
    const ended: StoryEntry[] =
      link.disabledAt === null
        ? []
        : [
            {
              ...entry,
              at: link.disabledAt,
              says: "The link was disabled by an operator.",
              wrong: "Nobody can pay by it.",
              help: help("payment-links enable", { id: link.id }),
            },
          ];
    return [made, ...ended];
  });
}

function movements({ movements: found }: Gathered): StoryEntry[] {
  return [...found.values()].map((movement) => {
    const amount = `${toMajorUnits(movement.amount, movement.currency)} ${movement.currency}`;
    const isLost = movement.partnerId === null;
    const asked = movement.paymentIntentId ?? movement.sourceId;
    return {
      at: movement.transactionDate,
      kind: "movement" as const,
      id: movement.id,
      says: `${nameOf(movement.type)} of ${amount}: ${movement.status}${movement.clientReferenceId === null ? "" : `, order ${movement.clientReferenceId}`}.`,
      wrong: isLost ? "It has no owner." : null,
      help: isLost && asked !== null ? help("ledger refresh", { environment: movement.environment, id: asked }) : null,
    };
  });
}

/** `processor_payment_in` is a payment. */
function nameOf(type: string | null): string {
  const words = (type ?? "movement")
    .replace(/^processor_/, "")
    .replace(/_in$/, "")
    .replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function subscriptions({ subscriptions: found }: Gathered): StoryEntry[] {
  return [...found.values()].map((one) => ({
    ...fine,
    at: one.updatedAt,
    kind: "subscription" as const,
    id: one.id,
    says: `The subscription was seen as ${one.status}${endOf(one)}.`,
  }));
}

function endOf({ cancelAtPeriodEnd, cancelAt }: { readonly cancelAtPeriodEnd: boolean; readonly cancelAt: number | null }): string {
  if (cancelAtPeriodEnd) return ", to end with its period";
  return cancelAt === null ? "" : `, to end at ${isoTime(cancelAt)}`;
}

function bankOrders({ bankOrders: found }: Gathered): StoryEntry[] {
  return [...found.values()].flatMap(({ payment, notifications }) => {
    const opened: StoryEntry[] =
      payment === null
        ? []
        : [
            {
              ...fine,
              at: payment.createdAt,
              kind: "bank_payment",
              id: payment.orderId,
              says: `A payment of ${toMajorUnits(payment.amountKopecks, "RUB")} RUB was opened at the bank; it is ${payment.status} now${payment.externalOrderId === null ? "" : `, order ${payment.externalOrderId}`}.`,
            },
          ];
    const reported: StoryEntry[] = notifications.map(({ id, receivedAt, status, problem, orderId }) => ({
      at: receivedAt,
      kind: "bank_notification",
      id,
      says: `The bank said ${status}.`,
      wrong: problem === null ? null : `It was not applied: ${problem}.`,
      help: problem === null || orderId === null ? null : help("bank-orders refresh", { order: orderId }),
    }));
    return [...opened, ...reported];
  });
}

function deliveries({ deliveries: found }: Gathered, now: number): StoryEntry[] {
  return [...found.values()].flatMap((delivery) => {
    const id = delivery.eventId;
    const recorded: StoryEntry = { ...fine, at: delivery.createdAt, kind: "event", id, says: `The event ${delivery.name} was recorded.` };
    const attempts: StoryEntry[] = delivery.attemptList.map((attempt) => ({
      ...fine,
      at: attempt.at,
      kind: "delivery",
      id,
      says: `Attempt ${attempt.number}: ${attempt.errorClass === null ? "the receiver took it" : `failed (${attempt.status ?? attempt.errorClass})`}.`,
    }));
    const open = openDelivery(delivery, now);
    return [recorded, ...attempts, ...(open === null ? [] : [{ ...open, kind: "delivery" as const, id }])];
  });
}

type Delivery = Gathered["deliveries"] extends ReadonlyMap<string, infer One> ? One : never;

/** What keeps an event from its receiver; null where nothing does. */
function openDelivery(delivery: Delivery, now: number): Omit<StoryEntry, "kind" | "id"> | null {
  const last = delivery.attemptList.at(-1);
  const answered =
    last === undefined
      ? "nothing was sent yet"
      : `attempts fail (${last.status ?? last.errorClass ?? "unknown"}) since ${isoTime(firstOfRow(delivery))}`;
  const resend = help("deliveries resend", { event: delivery.eventId });
  const lastAt = last?.at ?? delivery.createdAt;
  switch (delivery.state) {
    case "succeeded":
      return null;
    case "sending":
      return { at: now, says: "It is being sent now.", ...fine };
    case "pending":
      return {
        at: delivery.nextAttemptAt,
        says: `The next attempt is due ${isoTime(delivery.nextAttemptAt)}.`,
        wrong: last === undefined ? null : `The event waits: ${answered}.`,
        help: last === undefined ? null : resend,
      };
    case "exhausted":
      return {
        at: lastAt,
        says: "No further attempt is made.",
        wrong: `The event was given up: ${answered}.`,
        help: resend,
      };
    case "suspended":
      return {
        at: lastAt,
        says: "The event is kept.",
        wrong: "Its endpoint is suspended.",
        help: help("endpoints resume", { id: delivery.endpointId }),
      };
    case "no_endpoint":
      return {
        at: delivery.createdAt,
        says: "Nothing is sent.",
        wrong: "The partner had registered no webhook for this environment.",
        help: resend,
      };
  }
}

/** When the present row of failures began. */
function firstOfRow({ attemptList, createdAt }: Delivery): number {
  const lastGood = attemptList.findLastIndex(({ errorClass }) => errorClass === null);
  return attemptList[lastGood + 1]?.at ?? createdAt;
}
