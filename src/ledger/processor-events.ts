import { z } from "zod";
import { HOUR, SECOND } from "../core/clock.ts";
import { parseJson } from "../core/json.ts";
import { describeThrown } from "../core/log.ts";
import type { WakeUp } from "../core/wake-up.ts";
import { writeTogether } from "../db/client.ts";
import type { ProcessorEvent } from "../processor/events.ts";
import { type ClaimedEvent, claimProcessorEvent, insertProcessorEvent, markFailed, markProcessed } from "./events-store.ts";
import type { Movement } from "./movement.ts";
import { type LedgerTools, recordCharge } from "./record-charge.ts";
import { recordSubscription } from "./record-subscription.ts";

/** The waits double from the first to the longest: with these, an event is tried for more than a day before it is parked. */
const MOST_ATTEMPTS = 14;
const FIRST_WAIT = 30 * SECOND;
const LONGEST_WAIT = 6 * HOUR;

const LOOKS_FOR_PARTNER = 4;

export interface ProcessorEventTools extends LedgerTools {
  readonly wakeProcessorEvents: WakeUp;
}

/**
 * Stores an event whose signature has been checked, and has it worked off by the queue. When this returns, the
 * event may be acknowledged: whatever happens to the message, the cron finds the row.
 */
export async function receiveProcessorEvent(tools: ProcessorEventTools, event: ProcessorEvent, payload: string): Promise<void> {
  const isNew = await insertProcessorEvent(tools.db, event, payload, tools.clock.now());
  if (isNew) await wake(tools, event.id, 0);
}

/** The same for events of our own finding, which have no payload. Gives how many of them were new. */
export async function receiveProcessorEvents(tools: ProcessorEventTools, found: readonly ProcessorEvent[]): Promise<number> {
  let count = 0;
  for (const event of found) {
    const isNew = await insertProcessorEvent(tools.db, event, "{}", tools.clock.now());
    if (isNew) await wake(tools, event.id, 0);
    count += isNew ? 1 : 0;
  }
  return count;
}

/**
 * Works a stored event off, if it is due and nobody else has it. The claim puts the next attempt on the schedule
 * before this one begins, so that an attempt which dies is simply followed by the next. Working an event off twice
 * does no harm: state is fetched anew and written by the processor's ids. The last failed attempt parks it, where an
 * operator sees it; it is never dropped.
 */
export async function workOffProcessorEvent(tools: ProcessorEventTools, eventId: string): Promise<void> {
  const startedAt = tools.clock.now();
  const event = await claimProcessorEvent(tools.db, eventId, startedAt, (attempts) =>
    Math.min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT),
  );
  if (event === undefined) return;
  try {
    await record(tools, event);
  } catch (thrown) {
    const fault = describeThrown(thrown);
    const parked = event.attempts >= MOST_ATTEMPTS;
    await markFailed(tools.db, event, `${fault.error_class}: ${fault.error_text}`, parked);
    tools.log.error("processor event not worked off", { event: eventId, attempts: event.attempts, parked, ...fault });
    if (!parked) await wake(tools, eventId, event.nextAttemptAt - startedAt);
  }
}

/** Brings the ledger up to date with what an event is about, and marks the event as done in the same transaction. */
async function record(tools: ProcessorEventTools, event: ClaimedEvent): Promise<void> {
  const done = (now: number) => [markProcessed(tools.db, event.id, now)];
  // What tells whose a payment is may come after it: look again a few times before it stays without a partner.
  const settled = (movement: Movement | null) => movement?.partnerId !== null || event.attempts >= LOOKS_FOR_PARTNER;
  const about = subjectOf(event);
  switch (about.kind) {
    case "charge":
      await recordCharge(tools, event.environment, about.id, (now, movement) => (settled(movement) ? done(now) : []));
      return;
    case "subscription":
      return recordSubscription(tools, event.environment, about.id, done);
    case "nothing":
      return writeTogether(tools.db, done(tools.clock.now()));
  }
}

const eventOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ data: z.object({ object: z.object(shape) }) });
/** The parts of events that name what they are about. */
const paymentIntentEvent = eventOf({ latest_charge: z.string().nullable() });
const sessionEvent = eventOf({ subscription: z.string().nullish() });
const invoiceEvent = eventOf({
  parent: z.object({ subscription_details: z.object({ subscription: z.string() }).nullish() }).nullish(),
});

type Subject = { readonly kind: "charge" | "subscription"; readonly id: string } | { readonly kind: "nothing" };

function subject(kind: "charge" | "subscription", id: string | null | undefined): Subject {
  return id == null ? { kind: "nothing" } : { kind, id };
}

/** What an event is about; nothing for one that tells of nothing that is recorded so far. */
function subjectOf(event: Pick<ClaimedEvent, "type" | "objectId" | "payload">): Subject {
  switch (event.type) {
    case "charge.succeeded":
    case "charge.pending":
    case "charge.failed":
    case "charge.updated":
      return { kind: "charge", id: event.objectId };
    case "payment_intent.succeeded":
    case "payment_intent.processing": {
      return subject("charge", parseJson(paymentIntentEvent, event.payload).data.object.latest_charge);
    }
    // A subscription that begins with a trial has no charge, and its own events may be lost.
    case "checkout.session.completed":
      return subject("subscription", parseJson(sessionEvent, event.payload).data.object.subscription);
    case "invoice.paid":
      return subject("subscription", parseJson(invoiceEvent, event.payload).data.object.parent?.subscription_details?.subscription);
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
      return { kind: "subscription", id: event.objectId };
    default:
      return { kind: "nothing" };
  }
}

/** Never fails: the cron finds what was not woken. `wait` in milliseconds. */
async function wake(tools: ProcessorEventTools, eventId: string, wait: number): Promise<void> {
  try {
    await tools.wakeProcessorEvents.send([eventId], { delaySeconds: Math.ceil(wait / SECOND) });
  } catch (thrown) {
    tools.log.error("processor event not woken", { event: eventId, ...describeThrown(thrown) });
  }
}
