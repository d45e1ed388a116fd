import { HOUR, SECOND } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import type { MessageQueue } from "../core/message-queue.ts";
import { runBatch } from "../db/client.ts";
import type { EventWithPayload, ProcessorEvent } from "../processor/events.ts";
import {
  type ClaimedEvent,
  claimProcessorEvent,
  insertProcessorEvents,
  markFailed,
  markForRefresh,
  markProcessed,
} from "./events-store.ts";
import { type LedgerDeps, recordPayment } from "./record-payment.ts";
import { recordSubscription } from "./record-subscription.ts";
import { subjectOf } from "./subjects.ts";

/**
 * The retry delay doubles from the first to the longest. With these values, an event is retried for more than a day
 * before it is parked.
 */
const MAX_ATTEMPTS = 14;
const INITIAL_DELAY = 30 * SECOND;
const MAX_DELAY = 6 * HOUR;

const ATTRIBUTION_ATTEMPTS = 4;

export interface ProcessorEventDeps extends LedgerDeps {
  readonly processorEventQueue: MessageQueue;
}

/**
 * Stores an event with a verified signature, and enqueues it. When this returns, the event may be acknowledged: if the
 * queue message is lost, the cron job finds the row.
 */
export async function receiveProcessorEvent(deps: ProcessorEventDeps, event: ProcessorEvent, payload: string): Promise<void> {
  await receiveMissingEvents(deps, [{ event, payload }]);
}

/** The same for events that were not delivered but found missing. Returns how many of them were new. */
export async function receiveMissingEvents(deps: ProcessorEventDeps, found: readonly EventWithPayload[]): Promise<number> {
  const isNew = await insertProcessorEvents(deps.db, found, deps.clock.now());
  await deps.processorEventQueue.send(isNew);
  return isNew.length;
}

/**
 * Processes a stored event if it is due and not claimed by another consumer. The claim schedules the next attempt
 * before this attempt starts. So if this attempt dies, the next one simply follows. Processing an event twice does no
 * harm: the state is fetched again and written under the processor's ids. After the last failed attempt, the event is
 * parked for an operator. It is never dropped.
 */
export async function processProcessorEvent(deps: ProcessorEventDeps, eventId: string): Promise<void> {
  const startedAt = deps.clock.now();
  const event = await claimProcessorEvent(deps.db, eventId, startedAt, (attempts) =>
    Math.min(INITIAL_DELAY * 2 ** (attempts - 1), MAX_DELAY),
  );
  if (event === undefined) return;
  if (event.attempts > MAX_ATTEMPTS) {
    // The last attempt died without an error, as happens when it uses up the memory or time limit.
    await markFailed(deps.db, event, event.lastError ?? "no attempt finished", true);
    deps.log.error("processor event not processed", { event: eventId, attempts: event.attempts, parked: true });
    return;
  }
  try {
    await record(deps, event);
  } catch (thrown) {
    const fault = errorFields(thrown);
    const parked = event.attempts >= MAX_ATTEMPTS;
    await markFailed(deps.db, event, `${fault.error_class}: ${fault.error_text}`, parked);
    deps.log.error("processor event not processed", { event: eventId, attempts: event.attempts, parked, ...fault });
    if (!parked) await deps.processorEventQueue.send([eventId], event.nextAttemptAt - startedAt);
  }
}

/** Updates the ledger for the subject of an event, and marks the event as processed in the same transaction. */
async function record(deps: ProcessorEventDeps, event: ClaimedEvent): Promise<void> {
  // The data that identifies the owner may arrive after the event. So refresh a few times before the event stays
  // without a partner. An attempt directly after a failure is never the last one.
  const isLastAttempt = event.attempts >= ATTRIBUTION_ATTEMPTS && event.lastError === null;
  const completionRows = (isSettled: boolean, now: number) =>
    isSettled || isLastAttempt ? [markProcessed(deps.db, event.id, now)] : [markForRefresh(deps.db, event.id)];
  const subject = subjectOf(event);
  if (subject.kind === "nothing") {
    await runBatch(deps.db, completionRows(true, deps.clock.now()));
  } else if (subject.kind === "subscription") {
    await recordSubscription(deps, event.environment, subject.id, (now, partnerId) => completionRows(partnerId !== null, now));
  } else {
    await recordPayment(deps, event.environment, subject, (now, movements) =>
      completionRows(
        movements.every(({ partnerId }) => partnerId !== null),
        now,
      ),
    );
  }
}
