import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type Row = Readonly<Record<string, string | number | null>>;

/** What the service has stored, read from its files: the auditor asks nothing of the service. */
export interface Books {
  /** Rows of a query in each database that has the tables: the cell, and the directory. */
  rows(sql: string): Row[];
  readonly shortLinks: ReadonlyMap<string, string>;
  /** The keys of R2. */
  readonly snapshots: ReadonlySet<string>;
}

/** Opens what a stopped service has left in its folder. */
export function openBooks(stores: string): Books {
  const folder = join(stores, "d1", "miniflare-D1DatabaseObject");
  const databases = databasesIn(folder).filter((database) => tablesOf(database).has("movements"));
  return {
    rows: (sql) => databases.flatMap((database) => rowsOf(database, sql)),
    shortLinks: new Map(entriesOf(join(stores, "kv"), "_mf_entries", "miniflare-KVNamespaceObject")),
    snapshots: new Set(entriesOf(join(stores, "r2"), "_mf_objects", "miniflare-R2BucketObject").map(([key]) => key)),
  };
}

function databasesIn(folder: string): DatabaseSync[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite")
    .map((file) => new DatabaseSync(join(folder, file)));
}

function tablesOf(database: DatabaseSync): Set<unknown> {
  return new Set(rowsOf(database, "SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name));
}

/** None where the database does not have the tables. */
function rowsOf(database: DatabaseSync, sql: string): Row[] {
  try {
    return database.prepare(sql).all() as Row[];
  } catch (thrown) {
    if (thrown instanceof Error && /no such (?:table|column)/.test(thrown.message)) return [];
    throw thrown;
  }
}

/** Keys and values of KV or R2, as the local runtime stores them: an index in SQLite, and a file for each value. */
function entriesOf(folder: string, table: string, objects: string): [string, string][] {
  const namespaces = existsSync(folder) ? readdirSync(folder).filter((name) => name !== objects) : [];
  const blob = (id: string) => {
    const file = namespaces.map((name) => join(folder, name, "blobs", id)).find((path) => existsSync(path));
    return file === undefined ? "" : readFileSync(file, "utf8");
  };
  return databasesIn(join(folder, objects))
    .filter((database) => tablesOf(database).has(table))
    .flatMap((database) => rowsOf(database, `SELECT key, blob_id FROM ${table}`))
    .map(({ key, blob_id }) => [String(key), blob(String(blob_id))]);
}
