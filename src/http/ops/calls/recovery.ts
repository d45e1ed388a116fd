import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { UTC } from "../../../core/time-zone.ts";
import { compareAgain } from "../../../ledger/compare-again.ts";
import { refillSnapshots } from "../../../ledger/refill-snapshots.ts";
import { momentField, startOf } from "../../calls/moments.ts";
import { notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";

/** Calls that restore lost data (docs/bad-days.md). */
export const recoveryCalls = [
  defineCall({
    command: "snapshots refill",
    method: "POST",
    path: "/ops/cells/{cell}/snapshots/refill",
    role: "admin",
    summary:
      "Fetches the processor's objects of a cell's movements again, 100 in a call; erased data stays empty, and live payments come first",
    continues: { left: "next", as: "after", sums: ["marked", "fetched"], pause: 10 },
    query: z.object({ after: z.string().max(250).default("").describe("Where to go on: `next` of the call before") }),
    answer: z.object({
      success: z.boolean(),
      marked: z.int().describe("Snapshots that are marked as erased again"),
      fetched: z.int().describe("Movements that are looked up at the processor; 0 while others have to wait for it"),
      next: z.string().nullable(),
    }),
    example: "01",
    async run({ deps, actor }, { params: { cell }, query: { after } }) {
      const own = deps.cellNamed(cell) ?? notFound("There is no cell with this code.");
      return { success: true, ...(await refillSnapshots(own, after, actor)) };
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
