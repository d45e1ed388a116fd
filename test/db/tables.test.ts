import { env } from "cloudflare:workers";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import * as schema from "../../src/db/schema/index.ts";

/** A row of a table WITHOUT ROWID is one row written; with a text as its key and a rowid besides, it is two. */

const tables = Object.values<unknown>(schema)
  .filter((table) => table instanceof SQLiteTable)
  .map((table) => getTableConfig(table));

describe.each(tables.map((table) => [table.name, table] as const))("the table %s", (name, { columns }) => {
  it("is stored by its rowid only if its key is one", async () => {
    const sql = await env.DB.prepare("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?").bind(name).first<string>("sql");
    const hasNumberAsKey = columns.some((column) => column.primary && column.getSQLType() === "integer");
    expect(sql?.endsWith(") WITHOUT ROWID")).toBe(!hasNumberAsKey);
  });
});
