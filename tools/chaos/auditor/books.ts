import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type Row = Readonly<Record<string, string | number | null>>;

/** The service's stored data, read from its files: the auditor calls no part of the service. */
export interface Books {
  /** Rows of a query, from the cell and from the directory. @throws if neither has the tables, or a column is wrong */
  rows(sql: string): Row[];
  shortLinks(): ReadonlyMap<string, string>;
  /** The keys of R2. */
  snapshots(): ReadonlySet<string>;
  close(): void;
}

/** Opens the service's files to be read. It may still be running. */
export function openBooks(stores: string): Books {
  const all = databasesIn(join(stores, "d1", "miniflare-D1DatabaseObject"));
  const databases = all.filter((database) => tablesOf(database).has("movements"));
  if (databases.length < 2) throw new Error("the directory or the cell is missing");
  return {
    rows(sql) {
      const answers = databases.map((database) => rowsOf(database, sql));
      if (answers.every((rows) => rows === null)) throw new Error(`no database has the tables of: ${sql}`);
      return answers.flatMap((rows) => rows ?? []);
    },
    shortLinks: () => new Map(entriesOf(join(stores, "kv"), "_mf_entries", "miniflare-KVNamespaceObject", true)),
    snapshots: () => new Set(entriesOf(join(stores, "r2"), "_mf_objects", "miniflare-R2BucketObject", false).map(([key]) => key)),
    close() {
      for (const database of all) database.close();
    },
  };
}

function databasesIn(folder: string): DatabaseSync[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite")
    .map((file) => new DatabaseSync(join(folder, file), { readOnly: true, timeout: 5_000 }));
}

function tablesOf(database: DatabaseSync): Set<unknown> {
  return new Set((rowsOf(database, "SELECT name FROM sqlite_master WHERE type = 'table'") ?? []).map(({ name }) => name));
}

/** Null if the database does not have the tables. A wrong column is the auditor's mistake, and is thrown. */
function rowsOf(database: DatabaseSync, sql: string): Row[] | null {
  try {
    return database.prepare(sql).all() as Row[];
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message.includes("no such table")) return null;
    throw thrown;
  }
}

/** Keys and values of KV or R2, as the local runtime stores them: an index in SQLite, and a file for each value. */
function entriesOf(folder: string, table: string, objects: string, withValues: boolean): [string, string][] {
  // Nothing was ever stored: on a slow machine, no customer may pay in a short run.
  if (!existsSync(join(folder, objects))) return [];
  const namespaces = readdirSync(folder).filter((name) => name !== objects);
  const blob = (id: string) => {
    const file = namespaces.map((name) => join(folder, name, "blobs", id)).find((path) => existsSync(path));
    return file === undefined ? "" : readFileSync(file, "utf8");
  };
  const all = databasesIn(join(folder, objects));
  const databases = all.filter((database) => tablesOf(database).has(table));
  if (all.length > 0 && databases.length === 0) throw new Error(`there is no table ${table} below ${folder}`);
  const rows = databases.flatMap((database) => rowsOf(database, `SELECT key, blob_id FROM ${table}`) ?? []);
  for (const database of all) database.close();
  return rows.map(({ key, blob_id }) => [String(key), withValues ? blob(String(blob_id)) : ""]);
}
