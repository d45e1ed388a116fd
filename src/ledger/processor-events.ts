import { HOUR, SECOND } from "../core/clock.ts";
import { describeThrown } from "../core/log.ts";
import type { WakeUp } from "../core/wake-up.ts";
import { writeTogether } from "../db/client.ts";
import type { ListedEvent, ProcessorEvent } from "../processor/events.ts";
import { type ClaimedEvent, claimProcessorEvent, insertProcessorEvents, markFailed, markLooked, markProcessed } from "./events-store.ts";
import { type LedgerTools, recordPayment } from "./record-payment.ts";
import { recordSubscription } from "./record-subscription.ts";
import { subjectOf } from "./subjects.ts";

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
  await receiveFoundEvents(tools, [{ event, payload }]);
}

/** The same for events that nobody sent and that were found missing. Gives how many of them were new. */
export async function receiveFoundEvents(tools: ProcessorEventTools, found: readonly ListedEvent[]): Promise<number> {
  const isNew = await insertProcessorEvents(tools.db, found, tools.clock.now());
  await tools.wakeProcessorEvents.send(isNew);
  return isNew.length;
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
  if (event.attempts > MOST_ATTEMPTS) {
    // Its last attempt died without a word, as one does that takes all the memory or time there is.
    await markFailed(tools.db, event, event.lastError ?? "the attempts never ended", true);
    tools.log.error("processor event not worked off", { event: eventId, attempts: event.attempts, parked: true });
    return;
  }
  try {
    await record(tools, event);
  } catch (thrown) {
    const fault = describeThrown(thrown);
    const parked = event.attempts >= MOST_ATTEMPTS;
    await markFailed(tools.db, event, `${fault.error_class}: ${fault.error_text}`, parked);
    tools.log.error("processor event not worked off", { event: eventId, attempts: event.attempts, parked, ...fault });
    if (!parked) await tools.wakeProcessorEvents.send([eventId], event.nextAttemptAt - startedAt);
  }
}

/** Brings the ledger up to date with what an event is about, and marks the event as done in the same transaction. */
async function record(tools: ProcessorEventTools, event: ClaimedEvent): Promise<void> {
  // What tells whose it is may come after it: look again a few times, failures not counted, before it stays without.
  const isLastLook = event.attempts >= LOOKS_FOR_PARTNER && event.lastError === null;
  const doneOnce = (isSettled: boolean, now: number) =>
    isSettled || isLastLook ? [markProcessed(tools.db, event.id, now)] : [markLooked(tools.db, event.id)];
  const about = subjectOf(event);
  if (about.kind === "nothing") {
    await writeTogether(tools.db, doneOnce(true, tools.clock.now()));
  } else if (about.kind === "subscription") {
    await recordSubscription(tools, event.environment, about.id, (now, partnerId) => doneOnce(partnerId !== null, now));
  } else {
    await recordPayment(tools, event.environment, about, (now, movements) =>
      doneOnce(
        movements.every(({ partnerId }) => partnerId !== null),
        now,
      ),
    );
  }
}
