import { type CellCode, type DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import { type Clock, HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import type { MessageQueue } from "../core/message-queue.ts";
import type { Database } from "../db/client.ts";
import type { ProcessorEvent } from "../processor/facts.ts";
import { insertProcessorEvents } from "./events-store.ts";
import type { LedgerDeps } from "./look-up.ts";
import { refreshPending } from "./refresh-pending.ts";
import {
  countAttempt,
  endRefresh,
  firstFailed,
  makeFailedDue,
  type PendingEvent,
  type PendingRefresh,
  readRefresh,
} from "./refreshes-store.ts";
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
 * rule. So a subject that was refreshed too early is refreshed again soon.
 */
const LONGEST_EARLY_DELAY = 2 * MINUTE;
const EARLY_DELAYS = [1 * SECOND, 3 * SECOND, 10 * SECOND, 30 * SECOND, LONGEST_EARLY_DELAY];

interface QueueDeps {
  readonly processorEventQueue: MessageQueue;
  /** How long the first event of a subject waits for others, in milliseconds: one refresh serves them all. */
  readonly eventDebounceMs: number;
}

export type ProcessorEventDeps = LedgerDeps & QueueDeps;

/** What is needed to store events in their places, before anything is looked up. */
export interface InboxDeps {
  readonly clock: Clock;
  readonly cells: readonly CellCode[];
  readonly locationOf: (partnerId: string) => Promise<{ readonly cell: CellCode } | null>;
  readonly inDatabase: (databaseName: DatabaseName) => QueueDeps & { readonly db: Database };
}

/**
 * Stores events, whether the processor delivered them or a sweep found them missing, and enqueues what the new ones are
 * about. When this returns, they may be acknowledged: if a queue message is lost, the cron job finds the row. Events
 * that lead to nothing are not stored. Returns how many were new.
 */
export async function receiveProcessorEvents(deps: InboxDeps, events: readonly ProcessorEvent[]): Promise<number> {
  const now = deps.clock.now();
  const wanted = events.filter((event) => sourceOf(event) !== null);
  const stored = await Promise.allSettled(
    [...(await byDatabase(deps, wanted))].map(async ([databaseName, found]) => {
      const { db, processorEventQueue, eventDebounceMs } = deps.inDatabase(databaseName);
      const { ids, subjects } = await insertProcessorEvents(db, found, now, now + eventDebounceMs);
      await processorEventQueue.send(subjects, eventDebounceMs);
      return ids.length;
    }),
  );
  // What a cell out of reach lacks is found again; the others have theirs.
  const failure = stored.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
  return stored.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value : 0), 0);
}

/** Events by the place that they wait in: the cell of the partner that they name, or the directory if they name none. */
export async function byDatabase(
  { locationOf, cells }: Pick<InboxDeps, "locationOf" | "cells">,
  events: readonly ProcessorEvent[],
): Promise<ReadonlyMap<DatabaseName, ProcessorEvent[]>> {
  const named = new Set(events.flatMap(({ partnerId }) => partnerId ?? []));
  const found = new Map(await Promise.all([...named].map(async (partnerId) => [partnerId, (await locationOf(partnerId))?.cell] as const)));
  return Map.groupBy(events, ({ partnerId }): DatabaseName => {
    const cell = partnerId === null ? undefined : found.get(partnerId);
    // A cell that is not bound fails the refresh of its own subjects, and not the reconciliation of everybody.
    return cell !== undefined && cells.includes(cell) ? cell : DIRECTORY;
  });
}

/** A message that comes so little before its time, because clocks differ, is sent again. Others have one of their own. */
const CLOCK_DIFFERENCE = 5 * SECOND;

/**
 * Refreshes what stored events are about, if it is due. There is no claim: refreshing it twice does no harm, since the
 * state is fetched again and written under the processor's ids. After the last failed attempt, the subject is parked for
 * an operator. It is never dropped.
 */
export async function processSubject(deps: ProcessorEventDeps, subject: string): Promise<void> {
  await attempt(deps, subject, false);
}

/** Attempts of one run of {@link probeFailed} in a place, of so many subjects by chance: one that never succeeds is not always it. */
const PROBES = 2;
const PROBED = 50;
/** What is tried again so soon needs no probe. */
const SOON = MINUTE;

/**
 * Tries some subjects that have failed before their time, because a processor that answers again does not say so. The first that
 * succeeds makes all others due ({@link retryFailed}). A probe that fails does not count. Returns the number of subjects tried.
 */
export async function probeFailed(deps: ProcessorEventDeps): Promise<number> {
  const failed = await firstFailed(deps.db, deps.clock.now() + SOON, PROBED);
  const start = Math.floor(Math.random() * failed.length);
  const subjects = [...failed.slice(start), ...failed.slice(0, start)].slice(0, PROBES);
  await Promise.all(subjects.map((subject) => attempt(deps, subject, true)));
  return subjects.length;
}

async function attempt(deps: ProcessorEventDeps, subject: string, isProbe: boolean): Promise<void> {
  const pending = await readRefresh(deps.db, subject);
  if (pending === undefined || pending.refresh.state === "parked") return;
  const { refresh, events } = pending;
  const early = refresh.nextAttemptAt - deps.clock.now();
  if (early > 0 && !isProbe) {
    if (early <= CLOCK_DIFFERENCE) await deps.processorEventQueue.send([subject], early);
    return;
  }
  try {
    await record(deps, refresh, events);
    if (refresh.lastError !== null) await retryFailed(deps);
  } catch (thrown) {
    const fault = errorFields(thrown);
    if (isProbe) return;
    await countFailure(deps, refresh, events, `${fault.error_class}: ${fault.error_text}`, "later");
    deps.log.error("processor event not processed", { subject, attempts: refresh.attempts + 1, ...fault });
  }
}

/** The processor answers where it failed before: what waits for a later attempt is due now, and is enqueued. */
async function retryFailed({ db, clock, processorEventQueue, log }: ProcessorEventDeps): Promise<void> {
  const now = clock.now();
  const subjects = await makeFailedDue(db, now + SOON, now);
  if (subjects.length === 0) return;
  log.info("the processor answers again", { subjects: subjects.length });
  await processorEventQueue.send(subjects);
}

/**
 * Counts a failed attempt at a subject, and enqueues the next one, unless this was the last. One that nobody has ended
 * for long counts as failed, too: it may use up the time or memory of each of its consumers. It is tried `now`.
 */
export async function countFailure(
  deps: ProcessorEventDeps,
  refresh: PendingRefresh,
  seen: readonly PendingEvent[],
  lastError: string,
  next: "now" | "later",
): Promise<void> {
  const attempts = refresh.attempts + 1;
  const now = deps.clock.now();
  const isLast = attempts >= MAX_ATTEMPTS;
  const delay = next === "now" || isLast ? 0 : Math.min(INITIAL_DELAY * 2 ** (attempts - 1), MAX_DELAY);
  await endAttempt(deps, refresh, seen, { nextAttemptAt: now + delay, lastError, isLast });
}

async function endAttempt(
  deps: ProcessorEventDeps,
  refresh: PendingRefresh,
  seen: readonly PendingEvent[],
  how: Omit<Parameters<typeof countAttempt>[3], "nextEventAt">,
): Promise<void> {
  const now = deps.clock.now();
  const counted = await countAttempt(deps.db, refresh, seen, { ...how, nextEventAt: now + deps.eventDebounceMs });
  const { subject, attempts } = refresh;
  if (counted?.state === "parked") deps.log.error("processor event parked", { subject, attempts: attempts + 1 });
  else if (counted !== undefined) await deps.processorEventQueue.send([subject], counted.nextAttemptAt - now);
}

/**
 * Updates the ledger for what the events lead to, and ends the wait of their subject in the same transaction. If other
 * events have come meanwhile, it is enqueued again. An early refresh is not stored: the subject is refreshed again
 * soon, until the last of {@link EARLY_DELAYS} has passed. Then everything is stored as it is, even without an owner,
 * for an operator to see.
 */
async function record(deps: ProcessorEventDeps, refresh: PendingRefresh, events: readonly PendingEvent[]): Promise<void> {
  const { subject, environment } = refresh;
  const startedAt = deps.clock.now();
  const delay = earlyDelay(refresh);
  const sources = events.flatMap((event) => sourceOf(event) ?? []);
  const end = (at: number) => endRefresh(deps.db, subject, events, at);
  const outcome = await refreshPending(deps, environment, sources, { storeEarly: delay === null, end });
  if (outcome === "due_again") await deps.processorEventQueue.send([subject], deps.eventDebounceMs);
  if (outcome !== "early" || delay === null) return;
  await endAttempt(deps, refresh, events, { nextAttemptAt: startedAt + delay, lastError: null, isLast: false });
}

/**
 * The delay of the next attempt after an early one; null after the last. An attempt directly after a failure is not the
 * last, unless no attempt is left at all.
 */
function earlyDelay({ attempts, lastError }: PendingRefresh): number | null {
  if (attempts + 1 >= MAX_ATTEMPTS) return null;
  return EARLY_DELAYS[attempts] ?? (lastError === null ? null : LONGEST_EARLY_DELAY);
}
