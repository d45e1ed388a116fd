import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { runBatch } from "../db/client.ts";
import { findLocation } from "../partners/read-location.ts";
import { continueMove, type MoveDeps } from "./move.ts";
import {
  allIncomingMoves,
  deleteOutgoingMove,
  findIncomingMove,
  findOutgoingMove,
  type IncomingMove,
  insertIncomingMove,
  insertOutgoingMove,
  takeMove,
  writeToTarget,
} from "./store.ts";

/** The phases of a move that `partners moves` shows. */
export { movePhases } from "../db/schema/moves.ts";

/** A move, and its target cell. */
export interface Move extends IncomingMove {
  readonly toCell: CellCode;
}

/** Why a move cannot begin. */
export type CannotMove =
  | "unknown_partner"
  | "unknown_cell"
  /** The data is already there, and no move is in progress. */
  | "is_there"
  /** The partner is moving to another cell, or its old rows are still being deleted. */
  | "is_moving"
  /** The target cell has an earlier part of the partner's data. */
  | "has_earlier_part"
  /** The partner has left that cell so recently that the cell still refuses its writes. */
  | "has_just_left";

export interface MovesDeps extends MoveDeps {
  readonly cells: readonly CellCode[];
}

/** The partner and the target cell of a move. `splits`: finished rows stay, and new rows go to the target. */
export interface Wanted {
  readonly partnerId: string;
  readonly to: CellCode;
  readonly splits: boolean;
}

/** Starts a move or a split of a partner, or finds the one in progress. `continueMove` does the work. */
export async function beginMove(deps: MovesDeps, { partnerId, to, splits }: Wanted, actor: Actor): Promise<CannotMove | null> {
  const { directory, clock, cells, inCell } = deps;
  const location = await findLocation(directory.$client, partnerId);
  if (location === null) return "unknown_partner";
  if (!cells.includes(to)) return "unknown_cell";
  const target = inCell(to).db;
  const known = await findIncomingMove(target, partnerId);
  if (known !== undefined) return known.phase === "cancelling" ? "is_moving" : null;
  if (location.cell === to) return "is_there";
  if (location.earlier.some(({ cell }) => cell === to)) return "has_earlier_part";
  // The previous cell keeps its row until the old rows are deleted.
  if ((await findIncomingMove(inCell(location.cell).db, partnerId)) !== undefined) return "is_moving";
  if ((await findOutgoingMove(target, partnerId)) !== null) return "has_just_left";
  const source = inCell(location.cell).db;
  const leavesTo = await findOutgoingMove(source, partnerId);
  const before = cells.find((cell) => cell === leavesTo);
  if (before !== undefined && before !== to && (await findIncomingMove(inCell(before).db, partnerId)) === undefined) {
    await deleteOutgoingMove(source, partnerId, before);
  }
  await insertOutgoingMove(source, partnerId, to, clock.now());
  if ((await findOutgoingMove(source, partnerId)) !== to) return "is_moving";
  const action = `partner.${splits ? "split" : "move"}` as const;
  const entry = { actor, action, target: partnerId, partnerId, before: { cell: location.cell }, after: { cell: to } };
  await runBatch(directory, [auditRow(directory, entry, clock.now())]);
  await insertIncomingMove(target, { partnerId, fromCell: location.cell, splits }, clock.now());
  return null;
}

/** The phases in which a move can still be cancelled. */
const BEFORE_CLOSING: readonly IncomingMove["phase"][] = ["copying", "verifying", "cancelling"];

/** Cancels a move: the copies are deleted. False if there is none, or it has come too far. @throws MoveTaken */
export async function cancelMove(deps: MovesDeps, partnerId: string, actor: Actor): Promise<boolean> {
  const { directory, clock, cells, inCell } = deps;
  const move = (await listMoves(deps)).find((one) => one.partnerId === partnerId);
  const from = cells.find((cell) => cell === move?.fromCell);
  if (move === undefined || from === undefined || !BEFORE_CLOSING.includes(move.phase)) return false;
  const entry = {
    actor,
    action: "partner.stay" as const,
    target: partnerId,
    partnerId,
    before: { cell: move.toCell },
    after: { cell: from },
  };
  await runBatch(directory, [auditRow(directory, entry, clock.now())]);
  // The worker of the move can no longer write, so the stored phase is final.
  const target = inCell(move.toCell).db;
  const held = await takeMove(target, inCell(from).db, partnerId);
  if (held === undefined || !BEFORE_CLOSING.includes(held.phase)) return false;
  await writeToTarget(target, held, [], { phase: "cancelling", kind: 0, position: "", problem: null, phaseAt: clock.now() });
  return true;
}

/** All moves, including those whose old rows are still being deleted. One D1 round trip per cell. */
export async function listMoves({ cells, inCell }: Pick<MovesDeps, "cells" | "inCell">): Promise<Move[]> {
  const found = await Promise.all(
    cells.map(async (toCell) => (await allIncomingMoves(inCell(toCell).db)).map((move) => ({ ...move, toCell }))),
  );
  return found.flat().toSorted((left, right) => left.beganAt - right.beganAt);
}

/** Works on a move to a cell until it is done, must wait, or the time is up ({@link continueMove}). */
export function workOnMove(deps: MovesDeps, partnerId: string, to: CellCode, budget: CallBudget): ReturnType<typeof continueMove> {
  return continueMove({ ...deps, ...deps.inCell(to), databaseName: to }, partnerId, budget);
}
