import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { movedCounts, movedKinds } from "../../src/db/moved-rows.ts";
import * as cell from "../../src/db/schema/cell.ts";

/** What stays in a cell when a partner leaves it. */
const STAYS: Readonly<Record<string, string>> = {
  audit_log: "an entry is where the change was made, and all cells are asked",
  walks: "the cell's own",
  dismissals: "of what has no owner",
  processor_events: "worked off where they came in: the refresh writes where the partner is",
  refreshes: "the same",
  arrivals: "the move itself",
  departures: "the move itself",
  departure_changes: "the move itself",
};

const tables = Object.values<unknown>(cell).filter((table): table is SQLiteTable => is(table, SQLiteTable));
const moved = [...movedKinds.flatMap(({ table, children }) => [table, ...children.map((child) => child.table)]), ...movedCounts];

it("every table of a cell moves with its partner, or stays for a reason", () => {
  const names = tables.map((table) => getTableName(table)).toSorted();
  const advice = "a new table of a cell goes into movedKinds (src/db/moved-rows.ts), or with its reason into STAYS here";
  expect([...moved.map(({ name }) => name), ...Object.keys(STAYS)].toSorted(), advice).toEqual(names);
});

it("what moves by itself names its partner, and is found by the key that a walk goes by", () => {
  for (const { table, key, isNumber } of movedKinds) {
    const columns = tables.flatMap((one) => (getTableName(one) === table.name ? getTableConfig(one).columns : []));
    const primary = columns.filter((one) => one.primary).map(({ name }) => name);
    expect([table.name, table.columns.includes("partner_id"), primary]).toEqual([table.name, true, [key]]);
    const column = columns.find(({ name }) => name === key);
    expect([table.name, column?.columnType === "SQLiteInteger"]).toEqual([table.name, isNumber]);
  }
});

it("all columns move", () => {
  for (const { name, columns } of moved) {
    const table = tables.find((one) => getTableName(one) === name);
    expect(columns).toEqual(table === undefined ? [] : getTableConfig(table).columns.map((column) => column.name));
  }
});
