import type { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { cellCodeSchema } from "../core/cell-code-schema.ts";
import { type Clock, HOUR, MINUTE, SECOND } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Cell, Directory } from "../db/client.ts";
import { setCell } from "../partners/location-store.ts";
import { deleteCounts, deleteStep, deleteUnfinished } from "./clean.ts";
import { type Cells, compareStep, copiesOfCounts, copyChanges, copyStep, finishStep, haveSameSums, isBusy } from "./copy.ts";
import { createTriggers, dropTriggers, hasTriggers, incomingFence, outgoingFence } from "./fence.ts";
import {
  endIncomingMove,
  endOutgoingMove,
  findIncomingMove,
  type IncomingMove,
  MoveTaken,
  type Phase,
  reopen,
  setOutgoingPhase,
  takeMove,
  writeToTarget,
} from "./store.ts";

/** How long a closing cell waits for work in progress: longer than any operation and any delivery takes. */
const LONGEST_CLOSING = 30 * SECOND;
const CLOSING_POLL = SECOND / 4;
/** How many more lists of changes a step copies before it takes a conflict for one that stays. */
const MOST_DRAINED = 10;
/** The phases in which the partner is blocked begin only if so many steps are left: then they mostly end within the same run. */
const STEPS_OF_BLOCKED = 30;
/** Work that was claimed longer ago was interrupted, and is not waited for. */
const LONGEST_WORK = MINUTE;

/** How long the old rows stay, for requests that read the location just before the switch. */
const OLD_ROWS_STAY = 5 * MINUTE;
/**
 * How long the old cell refuses the partner's writes after the switch: an isolate remembers a location for a minute,
 * and an invocation lasts some minutes at most.
 */
const FENCE_STAYS = HOUR;

export interface MoveDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly directory: Directory;
  readonly inCell: (cell: CellCode) => { readonly db: Cell };
}

/** The target cell of a move. */
export interface TargetDeps extends MoveDeps {
  readonly databaseName: CellCode;
  readonly db: Cell;
}

/** How far the old cell is closed in each phase; null if the phase does not touch it. */
const OLD_CELL = {
  copying: "open",
  verifying: "open",
  closing: "closing",
  closed: "closed",
  finishing: "closed",
  switching: "closed",
  switched: null,
  cancelling: null,
} as const;

/** Phases in which the partner cannot start anything. They run to their end, even after the time of a call is up. */
const URGENT: ReadonlySet<Phase> = new Set(["closing", "closed", "finishing", "switching"]);
/** Phases from which a move can be cancelled. */
const REVERSIBLE: ReadonlySet<Phase> = new Set(["copying", "verifying", "closing", "closed"]);

interface StepLimits {
  /** The steps that all moves of a run share; it counts down. What blocks a partner goes on without. */
  readonly run?: { left: number };
  /** Steps of this call, in whatever phase. */
  readonly most?: number;
}

/**
 * Continues a move until it is done, must wait, or the time or the steps are used up. It can be interrupted anywhere, and called at any
 * time: each step is one transaction of the target cell, including the state of the move.
 * @returns the updated move; null if it is done, or there is none.
 * @throws MoveTaken if another call has taken over.
 */
export async function continueMove(
  deps: TargetDeps,
  partnerId: string,
  budget: CallBudget,
  { run = { left: Number.POSITIVE_INFINITY }, most = Number.POSITIVE_INFINITY }: StepLimits = {},
): Promise<IncomingMove | null> {
  const known = await findIncomingMove(deps.db, partnerId);
  if (known === undefined) return null;
  const cells = { source: deps.inCell(cellCodeSchema.parse(known.fromCell)).db, target: deps.db };
  const found = await takeMove(cells.target, cells.source, partnerId);
  if (found === undefined) return null;
  let held = await standFences(deps, cells, found);
  // This runs even if no time is left: the old cell must not stay closed.
  let closedSince = await alignOldCell(deps, cells, held);
  let aligned = held.phase;
  for (let steps = 0; steps < most && (URGENT.has(held.phase) || (run.left > 0 && budget.remaining() > 0)); steps += 1) {
    const { phase } = held;
    if (phase === "closing" && aligned !== phase && run.left < STEPS_OF_BLOCKED) return held;
    run.left -= 1;
    if (aligned !== phase) closedSince = await alignOldCell(deps, cells, held);
    aligned = phase;
    const next = await STEPS[phase](deps, cells, held, closedSince);
    if (next === null) return null;
    if (next === "waits") return held;
    held = next;
  }
  return held;
}

/** Closes or opens the old cell as the phase requires. Returns the time of the change, in Unix milliseconds. */
async function alignOldCell({ clock }: MoveDeps, { source }: Cells, held: IncomingMove): Promise<number> {
  const oldCell = OLD_CELL[held.phase];
  if (oldCell !== null) return setOutgoingPhase(source, held, oldCell, clock.now());
  // The outgoing move may have ended already.
  if (held.phase === "cancelling") await reopen(source, held, clock.now());
  return 0;
}

/**
 * Makes sure that each change is noted, and no copy is changed. If a change may have been missed, the move starts
 * again.
 */
async function standFences({ clock }: MoveDeps, { source, target }: Cells, held: IncomingMove): Promise<IncomingMove> {
  const { phase } = held;
  if (phase === "cancelling") return held;
  if (REVERSIBLE.has(phase) && !(await hasTriggers(target, incomingFence))) await createTriggers(target, incomingFence);
  if (await hasTriggers(source, outgoingFence)) return held;
  if (REVERSIBLE.has(phase)) return restartCopying(clock, { source, target }, held);
  await createTriggers(source, outgoingFence);
  return held;
}

/** The state is reset before the triggers are created, so an interruption in between does no harm. */
async function restartCopying(clock: Clock, { source, target }: Cells, held: IncomingMove): Promise<IncomingMove> {
  const restarted = await writeToTarget(target, held, [], begin("copying", clock.now()));
  await createTriggers(source, outgoingFence);
  return restarted;
}

function begin(phase: Phase, now: number) {
  return { phase, kind: 0, position: "", differing: 0, phaseAt: now } as const;
}

/** The end of each problem text for operators. */
const COMPARED_AGAIN = "All rows are compared again.";

/** One step of a phase. `closedSince`: since when the old cell has been closed as far as the phase requires. */
type Step = (deps: TargetDeps, cells: Cells, held: IncomingMove, closedSince: number) => Promise<IncomingMove | null | "waits">;

const STEPS: Readonly<Record<Phase, Step>> = {
  async copying({ clock }, cells, held) {
    // Copied in between, so that rows rarely conflict, and the list of changes does not grow.
    // A partner that goes on changing rows must not keep the walk from going on.
    let areCopied = await copyChanges(cells, held);
    for (let more = MOST_DRAINED; ; more -= 1) {
      try {
        return (await copyStep(cells, held)) ?? (await writeToTarget(cells.target, held, [], begin("verifying", clock.now())));
      } catch (thrown) {
        // A change that is still to be copied may free what a new row takes, such as the text of a promotion code.
        if (areCopied || more === 0 || thrown instanceof MoveTaken) throw thrown;
        areCopied = await copyChanges(cells, held);
      }
    }
  },

  async verifying({ clock, log }, cells, held) {
    if (!(await copyChanges(cells, held))) return held;
    const next = await compareStep(cells, held);
    if (next !== null) return next;
    if (held.differing === 0) return writeToTarget(cells.target, held, [], begin("closing", clock.now()));
    log.error("rows of a moving partner differed", { partner: held.partnerId, rows: held.differing });
    const problem = `${held.differing} rows differed from their copies, and were copied again. ${COMPARED_AGAIN}`;
    return writeToTarget(cells.target, held, [], { ...begin("verifying", clock.now()), problem });
  },

  async closing({ clock }, cells, held, closedSince) {
    const areCopied = await copyChanges(cells, held);
    const now = clock.now();
    // The partner is refused while this lasts. So it ends in time, whatever changes still come: a closed cell has none.
    if (now - closedSince < LONGEST_CLOSING) {
      if (!areCopied) return held;
      if (await isBusy(cells.source, held.partnerId, now - LONGEST_WORK)) {
        await new Promise((resolve) => setTimeout(resolve, CLOSING_POLL));
        return held;
      }
    }
    return writeToTarget(cells.target, held, [], begin("closed", now));
  },

  async closed({ clock, log }, cells, held) {
    const { source, target } = cells;
    try {
      if (!(await copyChanges(cells, held))) return held;
      const areSame = await haveSameSums(cells, held);
      if (!(await hasTriggers(source, outgoingFence))) return await restartCopying(clock, cells, held);
      if (areSame) return await writeToTarget(target, held, [], { ...begin("finishing", clock.now()), problem: null });
      log.error("sums of a moving partner differed", { partner: held.partnerId });
      const problem = `The sums by month and status differed between the cells. ${COMPARED_AGAIN}`;
      return await writeToTarget(target, held, [], { ...begin("verifying", clock.now()), problem });
    } catch (thrown) {
      // After any failure, the partner sells again until the next try.
      if (!(thrown instanceof MoveTaken)) {
        await writeToTarget(target, held, [], begin("verifying", clock.now()));
        await reopen(source, held, clock.now());
      }
      throw thrown;
    }
  },

  async finishing({ clock }, cells, held) {
    const next = await finishStep(cells, held);
    if (next !== null) return next;
    return writeToTarget(cells.target, held, await copiesOfCounts(cells, held), begin("switching", clock.now()));
  },

  async switching({ clock, directory, databaseName, log }, cells, held) {
    const { partnerId, fromCell, splits } = held;
    await setCell(directory, partnerId, { from: fromCell, to: databaseName, splitAt: splits ? clock.now() : null });
    await deleteUnfinished(cells, held);
    log.info(splits ? "partner split" : "partner moved", { partner: partnerId, from: fromCell, to: databaseName });
    return writeToTarget(cells.target, held, [], begin("switched", clock.now()));
  },

  async switched({ clock }, cells, held) {
    const age = clock.now() - held.phaseAt;
    if (age < OLD_ROWS_STAY) return "waits";
    const next = await deleteStep(cells.source, cells.target, held);
    if (next !== null) return next;
    return age < FENCE_STAYS ? "waits" : endMove(cells, held);
  },

  async cancelling(_deps, cells, held) {
    const next = await deleteStep(cells.target, cells.target, held);
    if (next !== null) return next;
    await deleteCounts(cells.target, held.partnerId, held.splits);
    return endMove(cells, held);
  },
};

async function endMove({ source, target }: Cells, held: IncomingMove): Promise<null> {
  if (await endOutgoingMove(source, held)) await dropTriggers(source, outgoingFence);
  if (await endIncomingMove(target, held)) await dropTriggers(target, incomingFence);
  return null;
}
