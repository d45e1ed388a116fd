import { describe, expect, it } from "vitest";
import { cellCodeOf } from "../../src/core/cell-code.ts";
import { DATABASE_BYTES } from "../../src/db/size.ts";
import { type CellFigures, daysUntilFull, emptiestOf } from "../../src/figures/cells.ts";

describe("how long a cell will do", () => {
  it.each([
    ["nothing is paid", 1_000_000, 0, null],
    ["a payment keeps 3,870 bytes", DATABASE_BYTES - 3_870 * 30, 10, 3],
    ["a day that is not whole does not count", DATABASE_BYTES - 3_870 * 30 + 1, 10, 2],
    ["it is full", DATABASE_BYTES, 10, 0],
    ["it is more than full", DATABASE_BYTES + 1_000_000, 10, 0],
  ] as const)("%s", (_what, bytes, paymentsADay, days) => {
    expect(daysUntilFull(bytes, paymentsADay)).toBe(days);
  });
});

describe("a new partner's cell", () => {
  const cell = (number: number, known: Partial<CellFigures>): CellFigures => ({
    cell: cellCodeOf(number),
    region: "weur",
    partners: 5,
    state: "ok",
    bytes: 1_000,
    paymentsADay: 0,
    daysUntilFull: null,
    ...known,
  });
  const full = 0.8 * DATABASE_BYTES;

  it.each([
    ["has the fewest partners", [cell(1, {}), cell(2, { partners: 4 }), cell(3, {})], null, "02"],
    ["is the first of those that have as few", [cell(1, {}), cell(2, {})], null, "01"],
    ["is not four fifths full", [cell(1, { partners: 1, bytes: full }), cell(2, {})], null, "02"],
    ["may be almost four fifths full", [cell(1, { partners: 1, bytes: full - 1 }), cell(2, {})], null, "01"],
    ["has the most room where none has enough", [cell(1, { partners: 1, bytes: full + 1 }), cell(2, { bytes: full })], null, "02"],
    ["is within reach, however full", [cell(1, { partners: 1, state: "out_of_reach", bytes: null }), cell(2, { bytes: full })], null, "02"],
    ["is nearly full where all are", [cell(1, { bytes: full }), cell(2, { bytes: full, partners: 4 })], null, "02"],
    ["is within reach", [cell(1, { partners: 1, state: "out_of_reach", bytes: null }), cell(2, {})], null, "02"],
    ["has all migrations", [cell(1, { partners: 1, state: "behind" }), cell(2, {})], null, "02"],
    ["is in the region that is wanted", [cell(1, { partners: 1 }), cell(2, { region: "enam" })], "enam", "02"],
    ["is none where no cell is in the region", [cell(1, {}), cell(2, { region: null })], "oc", null],
  ] as const)("%s", (_what, cells, region, wanted) => {
    expect(emptiestOf(cells, region)).toBe(wanted);
  });
});
