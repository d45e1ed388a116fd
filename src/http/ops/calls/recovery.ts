import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import type { CellDeps, Deps } from "../../../deps.ts";
import { compareAgain } from "../../../ledger/compare-again.ts";
import { refillSnapshots, restoreErasureMarks } from "../../../ledger/refill-snapshots.ts";
import { refillShortLinks } from "../../../short-links/refill.ts";
import { defineCall } from "../call.ts";
import { time } from "../paging.ts";
import { notFound } from "../refusal.ts";

/** Entries of a page. A short link is a write to KV. A snapshot is a look-up at the processor, which live payments need too. */
const PAGE = { shortLinks: 1_000, snapshots: 100 };

const query = z.object({ after: z.string().optional().describe("The `next` of the answer before") });
const page = z.object({ success: z.boolean(), count: z.int(), next: z.string().nullable().describe("Where to go on; null at the end") });

/** What brings back what was lost (docs/bad-days.md). */
export const recoveryCalls = [
  defineCall({
    command: "short-links refill",
    method: "POST",
    path: "/ops/cells/{cell}/short-links/refill",
    role: "admin",
    summary: "Writes the short links of a cell to KV again, a thousand a call: repeat with `after` until `next` is null",
    query,
    answer: page,
    example: "01",
    run: async ({ deps }, { params: { cell }, query: { after } }) => ({
      success: true,
      ...(await refillShortLinks(requireCell(deps, cell), after ?? null, PAGE.shortLinks)),
    }),
  }),
  defineCall({
    command: "snapshots refill",
    method: "POST",
    path: "/ops/cells/{cell}/snapshots/refill",
    role: "admin",
    summary: "Has the processor's objects of a cell's movements fetched again, a hundred a call; what was erased stays empty",
    query,
    answer: page,
    example: "01",
    async run({ deps, actor }, { params: { cell }, query: { after } }) {
      const own = requireCell(deps, cell);
      if (after === undefined) await restoreErasureMarks(own);
      return { success: true, ...(await refillSnapshots(own, after ?? null, PAGE.snapshots, actor)) };
    },
  }),
  defineCall({
    command: "ledger compare-again",
    method: "POST",
    path: "/ops/ledger/compare-again",
    role: "admin",
    summary: "Compares the processor's lists with the ledger again since a time, after a database was restored",
    body: z.strictObject({ since: time.describe("When the restored database is from") }),
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
