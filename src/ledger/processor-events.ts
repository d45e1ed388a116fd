import { HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import type { MessageQueue } from "../core/message-queue.ts";
import { runBatch } from "../db/client.ts";
import type { ProcessorEvent } from "../processor/facts.ts";
import { type ClaimedEvent, claimProcessorEvent, insertProcessorEvents, markFailed, markProcessed, postpone } from "./events-store.ts";
import { isEarly, type LedgerDeps, lookUp, store } from "./refresh.ts";
import { sourceOf } from "./sources.ts";

/**
 * The retry delay doubles from the first to the longest. With these values, an event is retried for more than a day
 * before it is parked.
 */
const MAX_ATTEMPTS = 14;
const INITIAL_DELAY = 30 * SECOND;
const MAX_DELAY = 6 * HOUR;

/**
 * What shows the owner of a payment, or its order reference, may come after the payment's first event: by seconds as a
 * rule. So an event that was early comes again soon.
 */
const LONGEST_EARLY_DELAY = 2 * MINUTE;
const EARLY_DELAYS = [1 * SECOND, 3 * SECOND, 10 * SECOND, 30 * SECOND, LONGEST_EARLY_DELAY];

export interface ProcessorEventDeps extends LedgerDeps {
  readonly processorEventQueue: MessageQueue;
}

/**
 * Stores events, whether the processor delivered them or a sweep found them missing, and enqueues those that are new.
 * When this returns, they may be acknowledged: if a queue message is lost, the cron job finds the row. Returns how many
 * were new.
 */
export async function receiveProcessorEvents(deps: ProcessorEventDeps, events: readonly ProcessorEvent[]): Promise<number> {
  const isNew = await insertProcessorEvents(deps.db, events, deps.clock.now());
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
    await record(deps, event, startedAt);
  } catch (thrown) {
    const fault = errorFields(thrown);
    const parked = event.attempts >= MAX_ATTEMPTS;
    await markFailed(deps.db, event, `${fault.error_class}: ${fault.error_text}`, parked);
    deps.log.error("processor event not processed", { event: eventId, attempts: event.attempts, parked, ...fault });
    if (!parked) await deps.processorEventQueue.send([eventId], event.nextAttemptAt - startedAt);
  }
}

/**
 * Updates the ledger for what an event leads to, and marks the event as processed in the same transaction. An early
 * refresh is not stored: the event comes again soon, until the last of {@link EARLY_DELAYS} has passed. Then everything
 * is stored as it is, even without an owner, for an operator to see.
 */
async function record(deps: ProcessorEventDeps, event: ClaimedEvent, startedAt: number): Promise<void> {
  const processed = (now: number) => [markProcessed(deps.db, event.id, now)];
  const source = sourceOf(event);
  if (source === null) {
    await runBatch(deps.db, processed(deps.clock.now()));
    return;
  }
  const found = await lookUp(deps, event.environment, source);
  const delay = isEarly(found) ? earlyDelay(event) : null;
  if (delay === null) {
    await store(deps, found, processed);
    return;
  }
  await runBatch(deps.db, [postpone(deps.db, event, startedAt + delay)]);
  await deps.processorEventQueue.send([event.id], delay);
}

/**
 * The delay of the next attempt after an early one; null after the last. An attempt directly after a failure is not the
 * last, unless no attempt is left at all.
 */
function earlyDelay({ attempts, lastError }: ClaimedEvent): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  return EARLY_DELAYS[attempts - 1] ?? (lastError === null ? null : LONGEST_EARLY_DELAY);
}
