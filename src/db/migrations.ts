import { sql } from "drizzle-orm";
import cellJournal from "../../migrations/cell/meta/_journal.json" with { type: "json" };
import directoryJournal from "../../migrations/directory/meta/_journal.json" with { type: "json" };
import { type DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import type { Database } from "./client.ts";
import type { BeforeRoundTrip } from "./round-trips.ts";

export type DatabaseKind = "directory" | "cell";

/** The newest migration of each kind of database in this build. */
export const wanted: Readonly<Record<DatabaseKind, string>> = { directory: lastOf(directoryJournal), cell: lastOf(cellJournal) };

function lastOf({ entries }: { readonly entries: readonly { readonly tag: string }[] }): string {
  return `${entries.at(-1)?.tag ?? ""}.sql`;
}

/** wrangler records applied migrations in a table of its own. */
export const LAST_MIGRATION = "SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1";

/** The last migration that was applied to a database; null if none was. */
export async function lastMigration(db: Database): Promise<string | null> {
  return (await db.get<{ name: string } | undefined>(sql.raw(LAST_MIGRATION)))?.name ?? null;
}

/**
 * Whether a database has all migrations of this build, by the last one that was applied. Later migrations are fine:
 * after a rollback, an earlier build runs on a newer schema. File names start with a zero-padded number, so they
 * compare as text.
 */
export function isMigrated(kind: DatabaseKind, last: string | null): boolean {
  return (last ?? "") >= wanted[kind];
}

/** The databases that this isolate has found fully migrated. */
const migrated = new Set<DatabaseName>();

/** Clears the isolate's knowledge of its databases, for tests. */
export function forgetMigrated(): void {
  migrated.clear();
}

/**
 * Refuses writes to a database that lacks migrations of this build, for example after a restore: its constraints and
 * triggers would be missing. Reads still work. An isolate checks before its first write, and remembers a positive
 * result. The memory cannot become wrong: a restore ends with a deployment, which starts new isolates.
 */
export function requireMigrations(d1: D1Database, databaseName: DatabaseName): BeforeRoundTrip {
  const kind = databaseName === DIRECTORY ? "directory" : "cell";
  const check = async () => {
    const last = await d1.prepare(LAST_MIGRATION).first<string>("name");
    if (!isMigrated(kind, last)) {
      const name = databaseName === DIRECTORY ? "the directory" : `cell ${databaseName}`;
      throw new Error(`${name} is behind: its last migration is ${last ?? "none"}, and this build needs ${wanted[kind]} before it writes`);
    }
    migrated.add(databaseName);
  };
  return (isWrite) => (isWrite && !migrated.has(databaseName) ? check() : null);
}
