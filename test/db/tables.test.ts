import { env } from "cloudflare:workers";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import * as cell from "../../src/db/schema/cell.ts";
import * as directory from "../../src/db/schema/directory.ts";

/** A row of a table WITHOUT ROWID is one row written; with a text as its key and a rowid besides, it is two. */

const tables = [
  { where: "a cell", schema: cell, db: env.CELL_1 },
  { where: "the directory", schema: directory, db: env.DIRECTORY },
].flatMap(({ where, schema, db }) =>
  Object.values<unknown>(schema)
    .filter((table) => table instanceof SQLiteTable)
    .map((table) => [getTableConfig(table).name, where, getTableConfig(table), db] as const),
);

describe.each(tables)("the table %s of %s", (name, _where, { columns }, db) => {
  it("is stored by its rowid only if its key is one", async () => {
    const sql = await db.prepare("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?").bind(name).first<string>("sql");
    const hasNumberAsKey = columns.some((column) => column.primary && column.getSQLType() === "integer");
    expect(sql?.endsWith(") WITHOUT ROWID")).toBe(!hasNumberAsKey);
  });
});
