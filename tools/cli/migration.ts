import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../../src/db/schema/index.ts";
import { captureTool, root } from "../local/processes.ts";
import { complaint, readArguments } from "./arguments.ts";
import { calledAs } from "./called-as.ts";
import { dangersOf } from "./migration/rules.ts";

/** The kinds of databases. Each has a schema file and a folder of migrations with its name. */
const DATABASES = ["directory", "cell"] as const;

const COMMAND_LINE = {
  name: "migration",
  help: "Generates a migration from the changes of the schema, for each kind of database that has some.",
  options: {},
  words: { usage: "<what_changes>", describe: "The migration's name, in small letters: add_refunds" },
};

/**
 * `npm run migration -- what_changes`: generates a migration for each kind of database whose schema has changed. It adds
 * what the generator cannot say: a table is WITHOUT ROWID, unless its primary key is one integer, which is the rowid
 * itself. A row then costs one row written instead of two.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const [name = ""] = read.words;
  if (!/^[a-z0-9_]+$/.test(name)) {
    console.error(complaint(calledAs(COMMAND_LINE.name), "Say what changes, in small letters, as in add_refunds.", args, []));
    return 2;
  }
  for (const database of DATABASES) {
    const folder = join(root, "migrations", database);
    const before = new Set(sqlFilesOf(folder));
    const { code, output } = await generate(database, join("migrations", database), ["--name", name]);
    if (code !== 0) {
      process.stderr.write(output);
      return code;
    }
    for (const file of sqlFilesOf(folder).filter((one) => !before.has(one))) {
      const path = join(folder, file);
      writeFileSync(path, storedByKey(readFileSync(path, "utf8")));
      console.log(`migrations/${database}/${file}`);
    }
  }
  return 0;
}

/** Whether each schema is that of its migrations. `folder` has a copy of them, relative to the project. */
export async function matchesSchema(folder: string): Promise<boolean> {
  let matches = true;
  for (const database of DATABASES) {
    const { output } = await generate(database, join(folder, database), []);
    // The generator exits with 0 even on failure, so only its output counts.
    if (output.includes("No schema changes")) continue;
    process.stderr.write(output);
    matches = false;
  }
  return matches;
}

/** The generator accepts only paths relative to its working directory. */
function generate(database: (typeof DATABASES)[number], folder: string, options: readonly string[]) {
  const args = ["generate", "--dialect", "sqlite", "--schema", `src/db/schema/${database}.ts`, "--out", folder, ...options];
  return captureTool("drizzle-kit", args, { quiet: true });
}

/** All migrations of all databases. */
export function migrationFiles(): string[] {
  const folders = DATABASES.map((database) => join(root, "migrations", database));
  return folders.flatMap((folder) => sqlFilesOf(folder).map((file) => join(folder, file)));
}

/** Why the running build could not work with some migrations, with their files; empty if it could. */
export function dangersOfMigrations(files: readonly string[] = migrationFiles()): string[] {
  return files.flatMap((file) => dangersOf(readFileSync(file, "utf8")).map((danger) => `${relative(root, file)}: ${danger}`));
}

function sqlFilesOf(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.endsWith(".sql"));
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
