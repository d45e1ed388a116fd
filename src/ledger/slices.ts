import { CallBudget } from "../core/call-budget.ts";
import { HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Directory } from "../db/client.ts";
import { Reach } from "../db/reach.ts";
import type { ProcessorEvent } from "../processor/facts.ts";
import { type InboxDeps, receiveProcessorEvents } from "./processor-events.ts";
import { DAY_LATER, findReconciliation, oweComparisons, recordReconciliation } from "./reconciliation-store.ts";

/** Timeout for all calls of one reconciliation. It is well below one minute, after which the next one starts. */
const SWEEP_BUDGET = 40 * SECOND;

/**
 * The passes of a reconciliation. The first pass skips the last minute, because the events of that minute may still
 * arrive, so it only finds missed ones. Consecutive runs overlap by one minute. The second pass runs one day later, for
 * entries that the processor listed only after the first pass had compared their time.
 */
const PASSES = [
  { suffix: "", grace: 1 * MINUTE, firstLookback: 24 * HOUR, overlap: 1 * MINUTE, every: 0 },
  { suffix: DAY_LATER, grace: 24 * HOUR, firstLookback: 25 * HOUR, overlap: 0, every: 1 * HOUR },
] as const;

/** The progress of all reconciliations is in the directory, because the processor's lists cover all partners. */
export interface ReconcileDeps extends InboxDeps {
  readonly directory: Directory;
  readonly log: Log;
}

/**
 * A reconciliation compares one time slice after another, so that it makes progress however much data there is. If a
 * slice was less than half full, the next slice is twice as long. If a slice was full, it is halved and compared again.
 * The shortest slice has no limit: it is read to its end.
 */
export interface Slices {
  readonly first: number;
  readonly longest: number;
  readonly shortest: number;
  readonly full: number;
}

/** The period of a slice, and the limits of its comparison. */
interface Slice {
  readonly from: number;
  readonly to: number;
  /** Maximum number of entries to read. */
  readonly limit: number;
  readonly budget: CallBudget;
  /** Asks the databases. Entries that an unreachable cell may have do not count as missing. */
  readonly reach: Reach;
}

/**
 * Compares the processor's list of a period with the stored rows. `count` is the number of listed entries, so that a
 * full slice is recognised; `missing` are those that are not stored.
 */
type ReconcileSlice = (slice: Slice) => Promise<{ readonly count: number; readonly missing: readonly ProcessorEvent[] }>;

/**
 * Runs each pass of the reconciliation `name` from its stored cursor, slice by slice, until its end or the deadline.
 * Missing entries are stored as events. Returns their number. If a cell is unreachable, its period is compared again
 * once it answers, so it does not hold up the other cells' comparison.
 */
export async function reconcileSlices(deps: ReconcileDeps, name: string, slices: Slices, reconcileSlice: ReconcileSlice): Promise<number> {
  const budget = new CallBudget(deps.clock, SWEEP_BUDGET);
  const reach = new Reach();
  let found = 0;
  let hasNoProgress = true;
  for (const { suffix, grace, firstLookback, overlap, every } of PASSES) {
    const now = deps.clock.now();
    const end = now - grace;
    let from = ((await findReconciliation(deps.directory, name + suffix))?.comparedUntil ?? now - firstLookback) - overlap;
    if (end - from < every) continue;
    let slice = slices.first;
    while (from < end) {
      const to = Math.min(from + slice, end);
      const limit = slice > slices.shortest ? slices.full : Number.POSITIVE_INFINITY;
      const compared = await nullIfPastDeadline(budget, reconcileSlice({ from, to, limit, budget, reach }));
      if (compared === null && hasNoProgress) {
        deps.log.info("comparison made no progress", { comparison: name + suffix });
        throw new ServiceFailure({ kind: "upstream_timeout", upstream: "processor" });
      }
      if (compared === null) return found;
      if (compared.count >= limit) {
        slice = Math.max(slice / 2, slices.shortest);
        continue;
      }
      const fresh = await receiveProcessorEvents(deps, compared.missing);
      found += fresh;
      if (reach.lost.size > 0) {
        deps.log.error("compared without cells out of reach", { comparison: name + suffix, cells: [...reach.lost].join() });
        await oweComparisons(deps.directory, reach.lost, from);
      }
      // The comparison was set back by an operator: the next run starts there.
      if (!(await recordReconciliation(deps.directory, name + suffix, { from, until: to }, fresh, now))) return found;
      from = to;
      hasNoProgress = false;
      if (compared.count < slices.full / 2) slice = Math.min(slice * 2, slices.longest);
    }
  }
  return found;
}

/** Null if the deadline has passed. This is not a failure: the next run resumes at the same position. */
async function nullIfPastDeadline<Result>(budget: CallBudget, asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (thrown) {
    const isLate = thrown instanceof ServiceFailure && thrown.error.kind === "upstream_timeout" && budget.remaining() < SECOND;
    if (isLate) return null;
    throw thrown;
  }
}
