import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { CellCode } from "../core/cell-code.ts";
import type { Deadline } from "../core/deadline.ts";
import { runBatch } from "../db/client.ts";
import { findLocation } from "../partners/store.ts";
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

/** How far a move may have come, as `partners moves` shows it. */
export { movePhases } from "../db/schema/moves.ts";

/** A move, and the cell that gets the data. */
export interface Move extends IncomingMove {
  readonly toCell: CellCode;
}

/** Why a move cannot begin. */
export type CannotMove =
  | "unknown_partner"
  | "unknown_cell"
  /** Its data is there already, and no move goes on. */
  | "is_there"
  /** It is moving to another cell, or its old rows are still being deleted. */
  | "is_moving"
  /** That cell has what it made before it was split. */
  | "has_earlier_part"
  /** It has left that cell so lately that the cell still refuses its writes. */
  | "has_just_left";

export interface MovesDeps extends MoveDeps {
  readonly cells: readonly CellCode[];
}

/** What of a partner goes to which cell. `splits`: what is at rest stays where it is, and what is made from now on is there. */
export interface Wanted {
  readonly partnerId: string;
  readonly to: CellCode;
  readonly splits: boolean;
}

/**
 * Begins to move a partner's data to a cell, or to split it by time, or finds the move that goes on already. What moves it is
 * `continueMove`.
 */
export async function beginMove(deps: MovesDeps, { partnerId, to, splits }: Wanted, actor: Actor): Promise<CannotMove | null> {
  const { directory, clock, cells, inCell } = deps;
  const location = await findLocation(directory, partnerId);
  if (location === null) return "unknown_partner";
  if (!cells.includes(to)) return "unknown_cell";
  const target = inCell(to).db;
  const known = await findIncomingMove(target, partnerId);
  if (known !== undefined) return known.phase === "cancelling" ? "is_moving" : null;
  if (location.cell === to) return "is_there";
  if (location.earlier.some(({ cell }) => cell === to)) return "has_earlier_part";
  // Also the cell that it came from lately keeps its row until its old rows are gone.
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
  const action = splits ? "partner.split" : "partner.move";
  const entry = { actor, action, target: partnerId, partnerId, before: { cell: location.cell }, after: { cell: to } };
  await runBatch(directory, [auditRow(directory, entry, clock.now())]);
  await insertIncomingMove(target, { partnerId, fromCell: location.cell, splits }, clock.now());
  return null;
}

/** Until when a move can still be given up. */
const BEFORE_CLOSING: readonly IncomingMove["phase"][] = ["copying", "verifying", "cancelling"];

/** Gives a move up: the copies are deleted. False if there is none, or it has come too far. @throws MoveTaken */
export async function cancelMove(deps: MovesDeps, partnerId: string, actor: Actor): Promise<boolean> {
  const { directory, clock, cells, inCell } = deps;
  const move = (await listMoves(deps)).find((one) => one.partnerId === partnerId);
  const from = cells.find((cell) => cell === move?.fromCell);
  if (move === undefined || from === undefined || !BEFORE_CLOSING.includes(move.phase)) return false;
  const entry = { actor, action: "partner.stay", target: partnerId, partnerId, before: { cell: move.toCell }, after: { cell: from } };
  await runBatch(directory, [auditRow(directory, entry, clock.now())]);
  // Whoever works on it writes nothing more, and what counts is how far it is by now.
  const target = inCell(move.toCell).db;
  const held = await takeMove(target, inCell(from).db, partnerId);
  if (held === undefined || !BEFORE_CLOSING.includes(held.phase)) return false;
  await writeToTarget(target, held, [], { phase: "cancelling", kind: 0, position: "", problem: null, phaseAt: clock.now() });
  return true;
}

/** All moves, also those whose old rows are still being deleted. One D1 round trip for each cell. */
export async function listMoves({ cells, inCell }: Pick<MovesDeps, "cells" | "inCell">): Promise<Move[]> {
  const found = await Promise.all(
    cells.map(async (toCell) => (await allIncomingMoves(inCell(toCell).db)).map((move) => ({ ...move, toCell }))),
  );
  return found.flat().toSorted((left, right) => left.beganAt - right.beganAt);
}

/** Works on a move to a cell until it is over, must wait, or the time is ({@link continueMove}). */
export function workOnMove(deps: MovesDeps, partnerId: string, to: CellCode, deadline: Deadline): ReturnType<typeof continueMove> {
  return continueMove({ ...deps, ...deps.inCell(to), databaseName: to }, partnerId, deadline);
}
