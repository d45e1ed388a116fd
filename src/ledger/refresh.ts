import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Clock, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import type { Log } from "../core/log.ts";
import type { Statement } from "../db/client.ts";
import type { PaymentFacts, Source } from "../processor/facts.ts";
import type { Processor } from "../processor/port.ts";
import { type OutboxDeps, runWithOutbox } from "../webhooks/outbox/record-event.ts";
import { isRecorded, recordEvent } from "../webhooks/outbox/store.ts";
import { type Attribution, attribute, type Latest } from "./attribution.ts";
import type { Movement } from "./movement.ts";
import { isNews, isNotSuperseded, upsertMovement } from "./movement-rows.ts";
import { movementsOf, unbookedRefundOf } from "./movements-of.ts";
import { partnerEventsOf } from "./partner-events.ts";
import { isSnapshotErased, type SnapshotDeps, saveSnapshot, snapshotKey } from "./snapshots.ts";
import { subscriptionRows } from "./subscription-rows.ts";

/** Timeout for all processor calls of one refresh together, in milliseconds. */
const FETCH_TIMEOUT = limits.upstream.seconds * SECOND;

export interface LedgerDeps extends OutboxDeps, SnapshotDeps {
  readonly clock: Clock;
  readonly log: Log;
  processor(environment: Environment): Processor;
}

/** A payment or a subscription as the processor had it at `asOf` (Unix milliseconds), and its owner. */
export interface Refresh {
  readonly environment: Environment;
  readonly source: Source;
  readonly asOf: number;
  readonly facts: PaymentFacts;
  readonly attribution: Attribution;
  readonly latest: Latest;
  readonly movements: readonly Movement[];
  /** A refund that failed before it was booked: it has an event, and no row. */
  readonly unbookedRefund: Movement | null;
}

/**
 * Looks a payment or a subscription up at the processor. Only an id is taken from the trigger of the refresh, so events
 * may come late, twice or in any order. `notBefore`: another lookup has ended by then, whatever the clocks say.
 * @throws ServiceFailure as the processor does.
 */
export async function lookUp(deps: LedgerDeps, environment: Environment, source: Source, notBefore = 0): Promise<Refresh> {
  const asOf = Math.max(deps.clock.now(), notBefore);
  const facts = await deps.processor(environment).retrieve(source, { deadline: new Deadline(deps.clock, FETCH_TIMEOUT) });
  const { attribution, latest } = await attribute(deps.db, facts);
  const { partnerId } = attribution;
  const movements = movementsOf(facts, environment, partnerId);
  const unbookedRefund = unbookedRefundOf(facts, environment, partnerId);
  return { environment, source, asOf, facts, attribution, latest, movements, unbookedRefund };
}

/**
 * Whether the refresh came too early: something is there to record, and the processor has not connected it yet with
 * what shows its owner or its order reference. Waiting is of no use for a transaction that belongs to no payment, for an
 * owner that does not exist, and for evidence that contradicts itself.
 */
export function isEarly({ facts, attribution, movements, unbookedRefund }: Refresh): boolean {
  const { charge, refund, dispute, subscription, missing } = facts;
  if (missing === "payment") return true;
  const isOfPayment = [charge, refund, dispute, subscription].some((found) => found !== null);
  const isThere = movements.length > 0 || subscription !== null || unbookedRefund !== null;
  return isOfPayment && isThere && (missing !== null || attribution.why === "unknown");
}

/** How often a refresh is repeated that another, later one overtook while it was stored. */
const MAX_REPEATS = 3;

/**
 * Stores refreshes: first the objects for the snapshots, then movements, subscriptions and partner events, in one batch
 * with the statements of `end`. There is no movement while the processor has not computed a balance transaction. Returns
 * the result of each statement.
 */
export async function store(
  deps: LedgerDeps,
  found: readonly Refresh[],
  end: (now: number) => readonly Statement[] = () => [],
  repeats = 0,
): Promise<readonly unknown[]> {
  for (const look of found) await saveSnapshots(deps, look);
  const now = deps.clock.now();
  const rows = await Promise.all(found.map((look) => rowsOf(deps, look, now)));
  const results = await runWithOutbox(deps, [...rows.flat(), ...end(now)]);
  for (const look of found) logProblems(deps, look);
  if (repeats < MAX_REPEATS) {
    const own = new Set(found.map(({ asOf }) => asOf));
    for (const look of found) {
      // A later one that found no change wrote no snapshot, or its clock was ahead: only another lookup knows what is so.
      const later = overtakenAt(look, results, own);
      if (later === null) continue;
      await store(deps, [await lookUp(deps, look.environment, look.source, later + 1)], undefined, repeats + 1);
    }
  }
  return results;
}

/** Stores what the snapshots show of a refresh, each unless a later refresh is known. */
async function saveSnapshots(deps: LedgerDeps, { environment, asOf, facts, latest }: Refresh): Promise<void> {
  const { paymentIntentId, subscriptionId, subscription, objects } = facts;
  const isLate = (seen: number | null) => seen !== null && seen > asOf;
  // A renewal is the same buyer's: where the subscription is erased, its payments are.
  const isOfErased = subscriptionId !== null && (await isSnapshotErased(deps, snapshotKey(environment, subscriptionId)));
  if (paymentIntentId !== null && !isLate(latest.payment)) {
    await saveSnapshot(deps, snapshotKey(environment, paymentIntentId), objects, asOf, isOfErased);
  }
  if (subscription !== null && !isLate(latest.subscription)) {
    await saveSnapshot(deps, snapshotKey(environment, subscription.id), [subscription.object], asOf);
  }
}

async function rowsOf(
  { db }: LedgerDeps,
  { environment, asOf, facts, attribution, movements, unbookedRefund }: Refresh,
  now: number,
): Promise<Statement[]> {
  const { partnerId } = attribution;
  const caused = await partnerEventsOf([...movements, ...(unbookedRefund === null ? [] : [unbookedRefund])], facts);
  const { subscription } = facts;
  const eventsOf = (movement: Movement) =>
    caused.filter((one) => one.movement === movement).map(({ event }) => ({ name: event.kind, isRecorded: isRecorded(event) }));
  return [
    ...(subscription === null ? [] : await subscriptionRows(db, { ...facts, facts: subscription, environment, partnerId, asOf, now })),
    // Events come before the movement, which says what was news until then, and lists them afterwards.
    ...caused.map(({ event, movement }) =>
      recordEvent(db, event, now, sql`${isNotSuperseded(movement, asOf)} AND ${isNews(movement, event.kind)}`),
    ),
    ...movements.flatMap((movement) => upsertMovement(db, movement, asOf, eventsOf(movement))),
  ];
}

const seenSchema = z.object({ seen: z.string(), seenAt: z.int() });

/**
 * When the latest refresh saw what this one has stored too, if that was later; null if this one is the latest. Those that
 * were stored together, at the times `own`, do not overtake one another: they were written in their order.
 */
function overtakenAt({ asOf, latest, movements, facts }: Refresh, results: readonly unknown[], own: ReadonlySet<number>): number | null {
  const ids = new Set([...movements.map(({ id }) => id), facts.subscription?.id]);
  const stored = results.flat().flatMap((row) => {
    const { success, data } = seenSchema.safeParse(row);
    return success && ids.has(data.seen) && !own.has(data.seenAt) ? [data.seenAt] : [];
  });
  const newest = Math.max(...stored, latest.payment ?? 0, facts.subscription === null ? 0 : (latest.subscription ?? 0));
  return newest > asOf ? newest : null;
}

function logProblems({ log }: LedgerDeps, { source, facts, attribution, movements }: Refresh): void {
  if (facts.subscriptionId !== null && facts.subscription === null) {
    log.error("subscription not readable", { source: source.id, subscription: facts.subscriptionId });
  }
  const { why } = attribution;
  if (why === null) return;
  if (movements.length > 0) log.error("movement without a partner", { source: source.id, movement: movements[0]?.id, why });
  else if (facts.subscription !== null) log.error("subscription without a partner", { subscription: facts.subscription.id, why });
}

/** {@link lookUp} and {@link store}: records what is there now, early or not. */
export async function refresh(deps: LedgerDeps, environment: Environment, source: Source): Promise<Refresh> {
  const found = await lookUp(deps, environment, source);
  await store(deps, [found]);
  return found;
}
