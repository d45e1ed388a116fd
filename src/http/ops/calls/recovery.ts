import * as z from "zod";
import type { CellCode } from "../../../core/cell-code.ts";
import { isoTime } from "../../../core/clock.ts";
import type { CellDeps, Deps } from "../../../deps.ts";
import { compareAgain } from "../../../ledger/compare-again.ts";
import { startRefill, stopRefill } from "../../../refills/refills.ts";
import { allRefills, type Refill, refillKinds } from "../../../refills/store.ts";
import { defineCall } from "../call.ts";
import { timeField } from "../paging.ts";
import { conflict, notFound } from "../refusal.ts";

const refillAnswer = z.object({
  cell: z.string(),
  kind: z.enum(refillKinds),
  state: z.enum(["going_on", "finished", "stopped"]),
  done: z.int(),
  total: z.int().describe("Entries that there were at the start"),
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
    finished_at: finishedAt === null ? null : isoTime(finishedAt),
  };
}

const SUMMARIES = {
  "short-links": "Writes the short links of a cell to KV again, in the background",
  snapshots: "Has the processor's objects of a cell's movements fetched again, in the background; what was erased stays empty",
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
        return viewRefill(own.databaseName, started ?? conflict("It goes on already. `refills list` shows how far it is."));
      },
    }),
  ),
  defineCall({
    command: "refills list",
    method: "GET",
    path: "/ops/refills",
    role: "any",
    summary: "What is written again into a store that was lost, and how far it is",
    answer: z.object({ data: z.array(refillAnswer), next: z.null() }),
    example: "",
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
    summary: "Stops what is written again into a store; what is written stays",
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
    body: z.strictObject({ since: timeField.describe("When the restored database is from") }),
    positional: ["since"],
    answer: z.object({ success: z.boolean(), since: z.string() }),
    example: "2026-11-22T10:00:00Z",
    async run({ deps, actor }, { body }) {
      await compareAgain(deps, body.since, actor);
      return { success: true, since: isoTime(body.since) };
    },
  }),
];

/** @throws OpsRefusal 404 for an unknown cell */
function requireCell(deps: Deps, code: string): CellDeps {
  return deps.cellNamed(code) ?? notFound("There is no cell of this code.");
}
