import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { root, runTool } from "../local/processes.ts";
import * as schema from "../src/db/schema/index.ts";

const FOLDER = join(root, "migrations");

/**
 * `npm run migration -- what_changes`: generates a migration from the changes of the schema. It adds what the generator
 * cannot say: a table is WITHOUT ROWID, unless its primary key is one integer, which is the rowid itself. A row then
 * costs one row written instead of two.
 */
export async function run([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined || rest.length > 0 || !/^[a-z0-9_]+$/.test(name)) {
    console.error("Say what changes, in small letters: npm run migration -- add_refunds");
    return 2;
  }
  const before = new Set(readdirSync(FOLDER));
  const code = await runTool("drizzle-kit", ["generate", "--name", name]);
  if (code !== 0) return code;
  for (const file of readdirSync(FOLDER).filter((one) => one.endsWith(".sql") && !before.has(one))) {
    const path = join(FOLDER, file);
    writeFileSync(path, storedByKey(readFileSync(path, "utf8")));
    console.log(`migrations/${file}`);
  }
  return 0;
}

/** The text of a migration, with WITHOUT ROWID after each table that has no integer as its key. */
function storedByKey(migration: string): string {
  const byRowid = new Set(
    Object.values<unknown>(schema)
      .filter((table) => table instanceof SQLiteTable)
      .map(getTableConfig)
      .filter(({ columns }) => columns.some((column) => column.primary && column.getSQLType() === "integer"))
      .map((table) => table.name),
  );
  return migration.replaceAll(/(CREATE TABLE `(?:__new_)?(\w+)` \([\s\S]*?\n\));/g, (text, table: string, tableName: string) =>
    byRowid.has(tableName) ? text : `${table} WITHOUT ROWID;`,
  );
}
