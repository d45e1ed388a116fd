import * as z from "zod";
import { isoTime } from "../core/clock.ts";
import { helpByCall, idsOf, NOTHING_WRONG, type StoryEntry } from "./entry.ts";
import type { Delivery, Endpoint, OrderHistory } from "./order-history.ts";

/** The fields of an event's payload that name its subject. */
const payloadSchema = z.object({
  transaction: z.object({ payment_intent_id: z.string().nullish() }).optional(),
  subscription: z.object({ id: z.string(), status: z.string() }).optional(),
  checkout: z.object({ id: z.string().nullish(), payment_link_id: z.string().nullish() }).optional(),
  Payment: z.object({ OrderId: z.string() }).optional(),
});

/** The partner's events of an order, and each attempt to deliver them. */
export function deliveryEntries(gathered: OrderHistory, now: number): StoryEntry[] {
  return [...gathered.deliveries.values()].flatMap((delivery) => {
    const { eventId: id, name, createdAt, payload } = delivery;
    const { transaction, subscription, checkout, Payment } = payloadSchema.safeParse(JSON.parse(payload)).data ?? {};
    const about = idsOf(transaction?.payment_intent_id, subscription?.id, checkout?.id, checkout?.payment_link_id, Payment?.OrderId);
    const status = subscription === undefined ? "" : `; the subscription was ${subscription.status}`;
    const entry = { id, objects: about } as const;
    const open = openDelivery(delivery, gathered, now);
    return [
      { ...NOTHING_WRONG, ...entry, at: createdAt, kind: "event", says: `The event ${name} was recorded${status}.` },
      ...delivery.attemptList.map(
        (attempt): StoryEntry => ({ ...NOTHING_WRONG, ...entry, at: attempt.at, kind: "delivery", says: outcomeOf(attempt) }),
      ),
      ...(open === null ? [] : [{ ...open, ...entry, kind: "delivery" as const }]),
    ];
  });
}

type Attempt = Delivery["attemptList"][number];

/** Maximum characters of a receiver's answer. */
const EXCERPT = 200;

function outcomeOf({ number, manual, status, errorClass, excerpt }: Attempt): string {
  const by = manual ? ", sent by hand" : "";
  const outcome = errorClass === null ? "the receiver took it" : `failed (${errorClass})`;
  const code = status === null ? "" : `, HTTP ${status}`;
  const said = excerpt === null || excerpt.trim() === "" ? "" : `; the receiver answered: ${excerpt.trim().slice(0, EXCERPT)}`;
  return `Attempt ${number}${by}: ${outcome}${code}${said}`;
}

/** What prevents an event's delivery; null if nothing does. */
function openDelivery(
  delivery: Delivery,
  { endpoints, partners }: OrderHistory,
  now: number,
): Omit<StoryEntry, "kind" | "id" | "objects"> | null {
  const last = delivery.attemptList.at(-1);
  const answered =
    last === undefined
      ? "nothing was sent yet"
      : `attempts fail (${last.status ?? last.errorClass ?? "unknown"}) since ${isoTime(firstOfRow(delivery))}`;
  const isMessage = (endpoints.get(delivery.endpointId)?.channel ?? null) !== null;
  const resend = isMessage ? null : helpByCall("deliveries resend", { event: delivery.eventId });
  const lastAt = last?.at ?? delivery.createdAt;
  const partner = partners.get(delivery.partnerId);
  const contact = partner?.contact ?? null;
  const tell = contact === null ? "" : ` Write to ${contact}.`;
  switch (delivery.state) {
    case "succeeded":
      return null;
    case "sending":
      return { at: now, says: "It is being sent now.", ...NOTHING_WRONG };
    case "pending":
      return {
        at: delivery.nextAttemptAt,
        says: `The next attempt is due ${isoTime(delivery.nextAttemptAt)}.`,
        wrong: last === undefined ? null : `The event waits: ${answered}.${tell}`,
        help: last === undefined ? null : resend,
      };
    case "exhausted":
      return { at: lastAt, says: "No further attempt is made.", wrong: `The delivery is exhausted: ${answered}.${tell}`, help: resend };
    case "suspended":
      return {
        at: lastAt,
        says: "The event is kept.",
        ...suspensionOf(endpoints.get(delivery.endpointId)?.suspensionReason ?? null, delivery, tell),
      };
    case "no_endpoint":
      return {
        at: delivery.createdAt,
        says: "Nothing is sent.",
        ...(endpoints.has(delivery.endpointId)
          ? { wrong: "No webhook was registered for this environment at that time.", help: resend }
          : { wrong: `No webhook is registered for this environment: one must be registered first.${tell}`, help: null }),
      };
  }
}

/** Why a webhook is suspended, and how the suspension ends. */
function suspensionOf(
  reason: Endpoint["suspensionReason"],
  { endpointId, partnerId }: Delivery,
  tell: string,
): Pick<StoryEntry, "wrong" | "help"> {
  const resume = helpByCall("endpoints resume", { id: endpointId });
  switch (reason) {
    case "partner_disabled":
      return {
        wrong: "Its webhook is suspended, because its partner is disabled.",
        help: helpByCall("partners enable", { id: partnerId }),
      };
    case "gone":
      return { wrong: `Its webhook is suspended, because it answered 410. The receiver must be repaired first.${tell}`, help: resume };
    case "failing":
      return { wrong: `Its webhook is suspended after days with only failures. The receiver must be repaired first.${tell}`, help: resume };
    case "unregistered":
      return { wrong: `Its webhook is unregistered: the partner registers or resumes it.${tell}`, help: null };
    case "operator":
      return { wrong: "Its webhook is suspended by an operator.", help: resume };
    case null:
      return { wrong: "Its webhook is suspended.", help: resume };
  }
}

/** The start of the current series of failures. */
function firstOfRow({ attemptList, createdAt }: Delivery): number {
  const lastGood = attemptList.findLastIndex(({ errorClass }) => errorClass === null);
  return attemptList[lastGood + 1]?.at ?? createdAt;
}
