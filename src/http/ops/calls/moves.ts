import * as z from "zod";
import { CallBudget } from "../../../core/call-budget.ts";
import { cellCodeSchema } from "../../../core/cell-code-schema.ts";
import { isoTime, SECOND } from "../../../core/clock.ts";
import type { Deps } from "../../../deps.ts";
import { beginMove, type CannotMove, cancelMove, listMoves, type Move, movePhases, workOnMove } from "../../../moves/admin.ts";
import { MoveTaken } from "../../../moves/store.ts";
import { pageOf } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";

/** The time that one call works on a move. The cron continues it every minute. */
const BUDGET = 20 * SECOND;

const moveAnswer = z.object({
  partner: z.string(),
  splits: z.boolean().describe("Whether the partner is split by time: existing finished rows stay in the old cell, and open ones move"),
  from: z.string(),
  to: z.string(),
  phase: z
    .enum([...movePhases, "done"])
    .describe("`switched`: the data is in the new cell, and the copied rows are being deleted from the old one. `done`: they are deleted"),
  rows_copied: z.int().nullable(),
  problem: z.string().nullable().describe("Why it is stuck; it is tried again every minute"),
  began_at: z.string().nullable(),
});

const view = ({ partnerId, splits, fromCell, toCell, phase, copied, problem, beganAt }: Move): z.input<typeof moveAnswer> => ({
  partner: partnerId,
  splits,
  from: fromCell,
  to: toCell,
  phase,
  rows_copied: copied,
  problem,
  began_at: isoTime(beganAt),
});

function refuse(why: CannotMove, partner: string, to: string): never {
  switch (why) {
    case "unknown_partner":
      return notFound(`There is no partner ${partner}. \`partners list\` shows all.`);
    case "unknown_cell":
      return notFound(`There is no cell ${to}. \`cells\` shows all.`);
    case "is_there":
      return conflict(`The data of ${partner} is already in cell ${to}.`);
    case "is_moving":
      return conflict(`${partner} is being moved, or its old rows are still being deleted. \`partners moves\` shows how far that is.`);
    case "has_earlier_part":
      return conflict(`Cell ${to} has an earlier part of ${partner}'s data, which stays there. Choose another cell.`);
    case "has_just_left":
      return conflict(
        `${partner} has left cell ${to} less than an hour ago, or its old rows are still being deleted there. Try again later.`,
      );
  }
}

/**
 * Works on a move for a while. If the cron or another call works on it at the same time, returns the stored state. Null
 * if the move is finished, because a finished move is no longer stored.
 */
async function continueMove(deps: Deps, partner: string, to: Move["toCell"]): Promise<Move | null> {
  try {
    const move = await workOnMove(deps, partner, to, new CallBudget(deps.clock, BUDGET));
    return move === null ? null : { ...move, toCell: to };
  } catch (thrown) {
    if (!(thrown instanceof MoveTaken)) throw thrown;
    return (await listMoves(deps)).find(({ partnerId }) => partnerId === partner) ?? null;
  }
}

const VERBS = [
  [
    "move",
    "Moves a partner's data to another cell while it sells; a repeated call continues the move and shows the progress, and so does the cron",
    {},
  ],
  [
    "split",
    "Splits a partner by time while it sells: new and open data goes to another cell, finished data stays",
    { irreversible: "A split cannot be undone: a partner of several cells cannot be put together again." },
  ],
] as const;

export const moveCalls = [
  ...VERBS.map(([verb, summary, warning]) =>
    defineCall({
      ...warning,
      command: `partners ${verb}`,
      method: "POST",
      path: `/ops/partners/{id}/${verb}`,
      role: "admin",
      summary,
      body: z.strictObject({ to: cellCodeSchema.describe("The code of the cell, as `cells` shows it") }),
      answer: moveAnswer,
      example: "acme --to 02",
      async run({ deps, actor }, { params, body: { to } }) {
        const splits = verb === "split";
        const why = await beginMove(deps, { partnerId: params.id, to, splits }, actor);
        if (why !== null) refuse(why, params.id, to);
        const move = await continueMove(deps, params.id, to);
        // A finished move is not stored, so its old cell is unknown.
        const done = { partner: params.id, splits, from: to, to, phase: "done" as const, rows_copied: null, problem: null, began_at: null };
        return move === null ? done : view(move);
      },
    }),
  ),
  defineCall({
    command: "partners stay",
    method: "POST",
    path: "/ops/partners/{id}/stay",
    role: "admin",
    summary: "Cancels a move that has not yet stopped writes to the old cell; the copies are deleted",
    answer: z.object({ success: z.boolean() }),
    example: "acme",
    async run({ deps, actor }, { params }) {
      if (!(await cancelMove(deps, params.id, actor))) conflict(`No move of ${params.id} can be cancelled. \`partners moves\` shows all.`);
      return { success: true };
    },
  }),
  defineCall({
    command: "partners moves",
    path: "/ops/moves",
    role: "any",
    summary: "Partners whose data is being moved to another cell",
    answer: pageOf(moveAnswer),
    run: async ({ deps }) => ({ data: (await listMoves(deps)).map(view), next: null }),
  }),
];
