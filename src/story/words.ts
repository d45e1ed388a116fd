import { isoTime, SECOND } from "../core/clock.ts";
import { toMajorUnits } from "../core/money.ts";
import type { Gathered } from "./gather.ts";

/** One thing that happened, or that will. */
export interface StoryEntry {
  /** Unix milliseconds. */
  readonly at: number;
  readonly kind: "request" | "payment_link" | "movement" | "subscription" | "bank_payment" | "bank_notification" | "event" | "delivery";
  readonly id: string;
  readonly says: string;
  /** What is wrong here, and the command that helps. Null where all is well. */
  readonly wrong: string | null;
  readonly command: string | null;
}

const fine = { wrong: null, command: null } as const;

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

function outcomeOf({ state, completedAt, updatedAt }: StoredRecord): Pick<StoryEntry, "at" | "says" | "wrong" | "command"> {
  const at = completedAt ?? updatedAt;
  switch (state) {
    case "completed":
      return { at, says: "The request was carried out.", ...fine };
    case "running":
      return { at, says: "The record was last written to.", wrong: "It has no result: it is under way, or was cut off.", command: null };
    case "awaiting_short_link":
      return {
        at,
        says: "The short link could not be made.",
        wrong: "The link waits for its short link.",
        command: "short-links complete",
      };
    case "failed":
      return { at, says: "The attempt failed.", wrong: "The partner got no result from this attempt.", command: "explain" };
    case "failed_terminal":
      return { at, says: "The attempt failed, for good.", wrong: "The partner got no result from this attempt.", command: "explain" };
  }
}

/** A key of the partner's is shown; a fingerprint means nothing to anybody. */
function keyOf(key: string): string {
  const [kind = "", ...text] = key.split(":");
  return kind === "content" ? "no key" : `the ${kind} ${text.join(":")}`;
}

function links({ links: found }: Gathered): StoryEntry[] {
  return [...found.values()].flatMap((link) => {
    const entry = { kind: "payment_link", id: link.id } as const;
    const made: StoryEntry = {
      ...entry,
      at: link.createdAt,
      says: `A link in ${link.currency} was made (${link.mode}, ${link.environment})${link.slug === null ? "" : `, with the short link ${link.slug}`}.`,
      wrong: link.slug === null ? "It has no short link." : null,
      command: link.slug === null ? "short-links complete" : null,
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
              command: "payment-links enable",
            },
          ];
    return [made, ...ended];
  });
}

function movements({ movements: found }: Gathered): StoryEntry[] {
  return [...found.values()].map((movement) => {
    const amount = `${toMajorUnits(movement.amount, movement.currency)} ${movement.currency}`;
    const isLost = movement.partnerId === null;
    return {
      at: movement.transactionDate,
      kind: "movement" as const,
      id: movement.id,
      says: `${nameOf(movement.type)} of ${amount}: ${movement.status}${movement.clientReferenceId === null ? "" : `, order ${movement.clientReferenceId}`}.`,
      wrong: isLost ? "It has no owner." : null,
      command: isLost ? "ledger refresh" : null,
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
    says: `The subscription was seen as ${one.status}${one.cancelAtPeriodEnd ? ", to end with its period" : ""}.`,
  }));
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
    const reported: StoryEntry[] = notifications.map(({ id, receivedAt, status, problem }) => ({
      at: receivedAt,
      kind: "bank_notification",
      id,
      says: `The bank said ${status}.`,
      wrong: problem === null ? null : `It was not applied: ${problem}.`,
      command: problem === null ? null : "bank refresh",
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
  const lastAt = last?.at ?? delivery.createdAt;
  switch (delivery.state) {
    case "succeeded":
      return null;
    case "sending":
      return { at: now, says: "It is being sent now.", wrong: null, command: null };
    case "pending":
      return {
        at: delivery.nextAttemptAt,
        says: `The next attempt is due ${isoTime(delivery.nextAttemptAt)}.`,
        wrong: last === undefined ? null : `The event waits: ${answered}.`,
        command: last === undefined ? null : "deliveries resend",
      };
    case "exhausted":
      return {
        at: lastAt,
        says: "No further attempt is made.",
        wrong: `The event was given up: ${answered}.`,
        command: "deliveries resend",
      };
    case "suspended":
      return { at: lastAt, says: "The event is kept.", wrong: "Its endpoint is suspended.", command: "endpoints resume" };
    case "no_endpoint":
      return {
        at: delivery.createdAt,
        says: "Nothing is sent.",
        wrong: "The partner had registered no webhook for this environment.",
        command: "deliveries resend",
      };
  }
}

/** When the present row of failures began. */
function firstOfRow({ attemptList, createdAt }: Delivery): number {
  const lastGood = attemptList.findLastIndex(({ errorClass }) => errorClass === null);
  return attemptList[lastGood + 1]?.at ?? createdAt;
}
