import * as z from "zod";
import { type CellFigures, cellStates, perCentFull, readCells } from "../../../figures/cells.ts";
import { pageOf } from "../../calls/paging.ts";
import { defineCall } from "../define-call.ts";

const cellAnswer = z.object({
  cell: z.string().describe("Its code, the prefix of the ids of partners that started in it"),
  region: z.string().nullable().describe("Null if the settings do not say it"),
  partners: z.int(),
  state: z
    .enum(cellStates)
    .describe("`behind`: it lacks migrations of this build, and refuses writes until `npm run deploy` has migrated it"),
  megabytes: z.int().nullable().describe("This and the following fields are null if the database is unreachable"),
  per_cent_full: z.int().nullable(),
  payments_a_day: z.number().nullable().describe("The mean of the last seven complete days"),
  days_until_full: z.int().nullable().describe("At this number of payments per day; also null without payments"),
});

const MEGABYTE = 1_000_000;

const view = ({ cell, region, partners, state, bytes, paymentsADay, daysUntilFull }: CellFigures): z.input<typeof cellAnswer> => ({
  cell,
  region,
  partners,
  state,
  megabytes: bytes === null ? null : Math.round(bytes / MEGABYTE),
  per_cent_full: perCentFull(bytes),
  payments_a_day: paymentsADay === null ? null : Math.round(10 * paymentsADay) / 10,
  days_until_full: daysUntilFull,
});

export const cellCalls = [
  defineCall({
    command: "cells",
    path: "/ops/cells",
    role: "any",
    summary: "The databases with partners' data: how full each is, and for how many more days it has room",
    answer: pageOf(cellAnswer),
    run: async ({ deps }) => ({ data: (await readCells(deps)).map(view), next: null }),
  }),
];
