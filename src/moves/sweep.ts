import { CallBudget } from "../core/call-budget.ts";
import { SECOND } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import { continueMove, type TargetDeps } from "./move.ts";
import { allIncomingMoves, MoveTaken, noteProblem, type Phase } from "./store.ts";

/** The time for all moves to a cell per minute. */
const BUDGET = 40 * SECOND;
/** Steps of all moves in a run: each takes some ten queries, of which an invocation has a thousand. */
const MOST_STEPS = 60;

/** Order: moves that block their partner first, moves that only delete old rows last. */
const ORDER: readonly Phase[] = ["switching", "finishing", "closed", "closing", "verifying", "copying", "cancelling", "switched"];

/**
 * Continues the moves to this cell: those that are nearly done, and block their partners, come first. Returns their
 * number.
 */
export async function sweepMoves(deps: TargetDeps): Promise<number> {
  const found = await allIncomingMoves(deps.db);
  const moves = found.toSorted((left, right) => ORDER.indexOf(left.phase) - ORDER.indexOf(right.phase));
  const budget = new CallBudget(deps.clock, BUDGET);
  const run = { left: MOST_STEPS };
  for (const { partnerId } of moves) {
    try {
      await continueMove(deps, partnerId, budget, { run });
    } catch (thrown) {
      // An operator's call is working on it.
      if (thrown instanceof MoveTaken) continue;
      const fault = errorFields(thrown);
      deps.log.error("move failed", { partner: partnerId, ...fault });
      await noteProblem(deps.db, partnerId, `${fault.error_class}: ${fault.error_text}`);
    }
  }
  return moves.length;
}
