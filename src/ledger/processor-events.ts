import { type CellCode, type DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import { type Clock, DAY, HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import type { MessageQueue } from "../core/message-queue.ts";
import type { Database, Directory } from "../db/client.ts";
import type { RefreshFailure } from "../db/schema/ledger.ts";
import { admitExpiredCheckout } from "../partners/change-counts.ts";
import type { ProcessorEvent } from "../processor/facts.ts";
import { insertProcessorEvents } from "./events-store.ts";
import { failureOf, GONE_PERIOD, type LedgerDeps, MANY_GONE } from "./look-up.ts";
import { refreshPending } from "./refresh-pending.ts";
import {
  countAttempt,
  countAttemptOfEach,
  countGoneSince,
  endRefresh,
  firstFailed,
  makeFailedDue,
  type PendingEvent,
  type PendingRefresh,
  readRefresh,
  UNENDED,
} from "./refreshes-store.ts";
import { CHECKOUT_EXPIRED, sourceOf } from "./sources.ts";

/**
 * The retry delay doubles from the first to the longest. With these values, an event is retried for more than a day
 * before it is parked.
 */
const MAX_ATTEMPTS = 14;
const INITIAL_DELAY = 30 * SECOND;
const MAX_DELAY = 6 * HOUR;
/** An object that the processor does not have is tried this often, over 3.5 minutes: its lists may lag behind its events. */
const MAX_ATTEMPTS_AT_GONE = 4;

/**
 * The evidence for a payment's owner, or its order reference, may come after the payment's first event, usually by
 * seconds. So a subject that was refreshed too early is refreshed again soon.
 */
const LONGEST_EARLY_DELAY = 2 * MINUTE;
const EARLY_DELAYS = [1 * SECOND, 3 * SECOND, 10 * SECOND, 30 * SECOND, LONGEST_EARLY_DELAY];

interface QueueDeps {
  readonly processorEventQueue: MessageQueue;
  /** How long the first event of a subject waits for others, in milliseconds, so that one refresh serves them all. */
  readonly eventDebounceMs: number;
}

export type ProcessorEventDeps = LedgerDeps & QueueDeps;

/** The dependencies for storing events in their databases, before any look-up. */
export interface InboxDeps {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly cells: readonly CellCode[];
  readonly locationOf: (partnerId: string) => Promise<{ readonly cell: CellCode; readonly expiredCheckouts: boolean } | null>;
  readonly inDatabase: (databaseName: DatabaseName) => QueueDeps & { readonly db: Database };
}

/**
 * Stores events that the processor delivered or a sweep found missing, and enqueues the subjects of new events. After
 * it returns, the events may be acknowledged: if a queue message is lost, the cron finds the row. Events of irrelevant
 * types are not stored. Returns the number of new events.
 */
export async function receiveProcessorEvents(deps: InboxDeps, events: readonly ProcessorEvent[]): Promise<number> {
  const now = deps.clock.now();
  const wanted = await wantedOf(deps, events);
  const stored = await Promise.allSettled(
    [...(await byDatabase(deps, wanted))].map(async ([databaseName, found]) => {
      const { db, processorEventQueue, eventDebounceMs } = deps.inDatabase(databaseName);
      const { ids, subjects } = await insertProcessorEvents(db, found, now, now + eventDebounceMs);
      await processorEventQueue.send(subjects, eventDebounceMs);
      return ids.length;
    }),
  );
  // A sweep will find the events of an unreachable cell again; the other cells have theirs.
  const failure = stored.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
  return stored.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value : 0), 0);
}

/**
 * The events to store. Most checkouts end unpaid, so that is stored only for a partner that asks for it, up to so many a day: anybody may
 * open a link.
 */
async function wantedOf(deps: InboxDeps, events: readonly ProcessorEvent[]): Promise<ProcessorEvent[]> {
  const isAsked = async (partnerId: string | null) =>
    partnerId !== null && (await deps.locationOf(partnerId))?.expiredCheckouts === true && (await admitExpiredCheckout(deps, partnerId));
  const found = await Promise.all(
    events.map(async (event) => {
      if (sourceOf(event) === null) return [];
      return event.type !== CHECKOUT_EXPIRED || (await isAsked(event.partnerId)) ? [event] : [];
    }),
  );
  return found.flat();
}

/**
 * Groups events by the database that stores them: the cell of the partner that they name, or the directory if they name
 * none.
 */
export async function byDatabase(
  { locationOf, cells }: Pick<InboxDeps, "locationOf" | "cells">,
  events: readonly ProcessorEvent[],
): Promise<ReadonlyMap<DatabaseName, ProcessorEvent[]>> {
  const named = new Set(events.flatMap(({ partnerId }) => partnerId ?? []));
  const found = new Map(await Promise.all([...named].map(async (partnerId) => [partnerId, (await locationOf(partnerId))?.cell] as const)));
  return Map.groupBy(events, ({ partnerId }): DatabaseName => {
    const cell = partnerId === null ? undefined : found.get(partnerId);
    // A cell that is not bound fails only the refreshes of its own subjects, not the whole reconciliation.
    return cell !== undefined && cells.includes(cell) ? cell : DIRECTORY;
  });
}

/**
 * A message that arrives slightly early, because clocks differ, is sent again. An earlier one is dropped, because
 * another message will follow.
 */
const CLOCK_DIFFERENCE = 5 * SECOND;

/**
 * Refreshes the subject of stored events, if it is due. There is no claim: a second refresh does no harm, since the
 * state is fetched again and written under the processor's ids. After the last failed attempt, the subject is parked
 * for an operator; one that the processor does not have is set aside, in a list of its own. It is never dropped.
 */
export async function processSubject(deps: ProcessorEventDeps, subject: string): Promise<void> {
  await attempt(deps, subject, false);
}

/**
 * Attempts per run of {@link probeFailed} and database, and the number of failed subjects among which they are chosen
 * at random: so a subject that never succeeds does not block the probe.
 */
const PROBES = 2;
const PROBED = 50;
/** A subject that is due this soon needs no probe. */
const SOON = MINUTE;

/**
 * Tries some failed subjects ahead of time, because a recovered processor does not announce itself. The first success
 * makes all others due ({@link retryFailed}). A failed probe does not count as an attempt. Returns the number of
 * subjects tried.
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
  if (pending === undefined || pending.refresh.state !== "due") return;
  const { refresh, events } = pending;
  const early = refresh.nextAttemptAt - deps.clock.now();
  if (early > 0 && !isProbe) {
    if (early <= CLOCK_DIFFERENCE) await deps.processorEventQueue.send([subject], early);
    return;
  }
  try {
    await record(deps, refresh, events);
    if (refresh.failure === "outage" || refresh.failure === "refused") await retryFailed(deps);
  } catch (thrown) {
    const fault = errorFields(thrown);
    if (isProbe) return;
    const kind = failureOf(thrown);
    await countFailure(deps, refresh, events, { kind, message: `${fault.error_class}: ${fault.error_text}` }, "later");
    // One object that is gone is no trouble of the service.
    const level = kind === "gone" ? "info" : "error";
    deps.log[level]("processor event not processed", { subject, attempts: refresh.attempts + 1, ...fault });
  }
}

/** The processor answers again after failures: subjects with a later attempt become due now, and are enqueued. */
async function retryFailed({ db, clock, processorEventQueue, log }: ProcessorEventDeps): Promise<void> {
  const now = clock.now();
  const subjects = await makeFailedDue(db, now + SOON, now);
  if (subjects.length === 0) return;
  log.info("the processor answers again", { subjects: subjects.length });
  await processorEventQueue.send(subjects);
}

/** Each that had its last attempt takes two round trips. The next sweep ends the others. */
const MOST_ENDED = 50;

/** How long an attempt that never ends is tried again: for so long the queue itself may stand still. */
const UNENDED_FOR = DAY;
/** After how many attempts, of any kind, one that never ended is the last. The attempt before it never ended either, or failed on our side. */
const MOST_UNENDED = MAX_ATTEMPTS / 2;

/**
 * Counts attempts that never ended as failed: they may exhaust the time or memory of their consumers. The next one is tried now, unless there
 * were as many as count, and the subject has waited for a day. `until`: when they were due at the latest, in Unix milliseconds.
 */
export async function countUnended(deps: ProcessorEventDeps, dead: readonly PendingRefresh[], until: number): Promise<void> {
  const isOver = ({ attempts, since, failure }: PendingRefresh) =>
    attempts >= MOST_UNENDED && failure === "internal" && since < deps.clock.now() - UNENDED_FOR;
  const others = dead.filter((refresh) => !isOver(refresh)).map(({ subject }) => subject);
  if (others.length > 0) {
    await deps.processorEventQueue.send(await countAttemptOfEach(deps.db, others, { until, now: deps.clock.now(), most: MOST_UNENDED }));
  }
  for (const { subject } of dead.filter(isOver).slice(0, MOST_ENDED)) {
    const pending = await readRefresh(deps.db, subject);
    if (pending === undefined || pending.refresh.nextAttemptAt > until) continue;
    const { refresh, events } = pending;
    await countFailure(deps, refresh, events, { kind: "internal", message: refresh.lastError ?? UNENDED }, "never");
  }
}

/**
 * Counts a failed attempt at a subject, and enqueues the next one, unless this was the last. `next`: after a delay that grows, `now`, or
 * `never`.
 */
export async function countFailure(
  deps: ProcessorEventDeps,
  refresh: PendingRefresh,
  seen: readonly PendingEvent[],
  failure: { readonly kind: RefreshFailure; readonly message: string },
  next: "now" | "later" | "never",
): Promise<void> {
  const attempts = refresh.attempts + 1;
  const now = deps.clock.now();
  // After an outage or an early attempt, one answer alone does not say that an object is gone.
  const isGone = failure.kind === "gone" && refresh.failure === "gone" && attempts >= MAX_ATTEMPTS_AT_GONE;
  const isLast = isGone || next === "never" || attempts >= MAX_ATTEMPTS;
  const state = isGone ? "gone" : isLast ? "parked" : "due";
  const delay = next === "now" || isLast ? 0 : Math.min(INITIAL_DELAY * 2 ** (attempts - 1), MAX_DELAY);
  await endAttempt(deps, refresh, seen, { nextAttemptAt: now + delay, failure, state });
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
  else if (counted?.state === "gone") await reportGone(deps, subject);
  else if (counted !== undefined) await deps.processorEventQueue.send([subject], counted.nextAttemptAt - now);
}

/** One object that is gone is noted; many at once are an error, which wakes an operator. */
async function reportGone({ db, clock, log }: ProcessorEventDeps, subject: string): Promise<void> {
  log.info("object gone at the processor", { subject });
  const [{ count: gone } = { count: 0 }] = await countGoneSince(db, clock.now() - GONE_PERIOD);
  if (gone >= MANY_GONE) log.error("many objects gone at the processor", { subject, gone });
}

/**
 * Updates the ledger for the sources of the events, and ends the wait of their subject in the same transaction. If
 * further events have arrived, the subject is enqueued again. An early refresh is not stored: the subject is refreshed
 * again soon, until the last of {@link EARLY_DELAYS} has passed. Then everything is stored as it is, even without an
 * owner, so that an operator can see it.
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
  await endAttempt(deps, refresh, events, { nextAttemptAt: startedAt + delay, failure: null, state: "due" });
}

/**
 * The delay of the next attempt after an early one; null after the last. An attempt directly after a failure is not the
 * last, unless no attempt is left.
 */
function earlyDelay({ attempts, lastError }: PendingRefresh): number | null {
  if (attempts + 1 >= MAX_ATTEMPTS) return null;
  return EARLY_DELAYS[attempts] ?? (lastError === null ? null : LONGEST_EARLY_DELAY);
}
