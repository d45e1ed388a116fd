import * as z from "zod";
import type { CellCode } from "../../../core/cell-code.ts";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { UTC } from "../../../core/time-zone.ts";
import type { CellDeps, Deps } from "../../../deps.ts";
import { compareAgain } from "../../../ledger/compare-again.ts";
import { startRefill, stopRefill } from "../../../refills/refills.ts";
import { allRefills, type Refill, refillKinds } from "../../../refills/store.ts";
import { momentField, startOf } from "../../calls/moments.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";

const refillAnswer = z.object({
  cell: z.string(),
  kind: z.enum(refillKinds),
  state: z.enum(["going_on", "finished", "stopped"]),
  done: z.int(),
  total: z.int().describe("Entries at the start"),
  percent: z.int(),
  started_by: z.string(),
  started_at: z.string(),
  finished_at: z.string().nullable(),
});

function viewRefill(cell: CellCode, refill: Refill): z.input<typeof refillAnswer> {
  const { kind, done, total, actor, startedAt, finishedAt, stopped } = refill;
  return {
    cell,
    kind,
    state: finishedAt === null ? "going_on" : stopped ? "stopped" : "finished",
    done,
    total,
    percent: total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total)),
    started_by: actor,
    started_at: isoTime(startedAt),
    finished_at: isoTimeOrNull(finishedAt),
  };
}

const SUMMARIES = {
  "short-links": "Writes the short links of a cell to KV again, in the background",
  snapshots: "Fetches the processor's objects of a cell's movements again, in the background; erased data stays empty",
} as const;

/** Calls that restore lost data (docs/bad-days.md). */
export const recoveryCalls = [
  ...refillKinds.map((kind) =>
    defineCall({
      command: `${kind} refill`,
      method: "POST",
      path: `/ops/cells/{cell}/${kind}/refill`,
      role: "admin",
      summary: `${SUMMARIES[kind]}: \`refills list\` shows how far it is`,
      answer: refillAnswer,
      example: "01",
      async run({ deps, actor }, { params: { cell } }) {
        const own = requireCell(deps, cell);
        const started = await startRefill(own, kind, actor);
        return viewRefill(own.databaseName, started ?? conflict("It is already running. `refills list` shows the progress."));
      },
    }),
  ),
  defineCall({
    command: "refills list",
    path: "/ops/refills",
    role: "any",
    summary: "Rewrites of lost stores, with their progress",
    answer: z.object({ data: z.array(refillAnswer), next: z.null() }),
    async run({ deps }) {
      const found = await Promise.all(
        deps.everyCell().map(async ({ databaseName, db }) => {
          const refills = await deps.askDatabase(databaseName, () => allRefills(db));
          return (refills ?? []).map((refill) => viewRefill(databaseName, refill));
        }),
      );
      return { data: found.flat(), next: null };
    },
  }),
  defineCall({
    command: "refills stop",
    method: "POST",
    path: "/ops/cells/{cell}/refills/{kind}/stop",
    role: "admin",
    summary: "Stops the rewrite of a store; written entries stay",
    params: z.object({ cell: z.string(), kind: z.enum(refillKinds) }),
    answer: refillAnswer,
    example: "01 short-links",
    async run({ deps, actor }, { params: { cell, kind } }) {
      const own = requireCell(deps, cell);
      return viewRefill(
        own.databaseName,
        (await stopRefill(own, kind, actor)) ?? notFound("There is no refill of this kind in this cell."),
      );
    },
  }),
  defineCall({
    command: "ledger compare-again",
    method: "POST",
    path: "/ops/ledger/compare-again",
    role: "admin",
    summary: "Compares the processor's lists with the ledger again since a time, after a database was restored",
    body: z.strictObject({ since: momentField.describe("The time of the restored state") }),
    positional: ["since"],
    answer: z.object({ success: z.boolean(), since: z.string() }),
    example: "2026-11-22T10:00:00Z",
    async run({ deps, actor }, { body }) {
      const since = startOf(body.since, UTC);
      await compareAgain(deps, since, actor);
      return { success: true, since: isoTime(since) };
    },
  }),
];

/** @throws CallRefusal 404 for an unknown cell */
function requireCell(deps: Deps, code: string): CellDeps {
  return deps.cellNamed(code) ?? notFound("There is no cell with this code.");
}
