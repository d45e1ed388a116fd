import { sql } from "drizzle-orm";
import cellJournal from "../../migrations/cell/meta/_journal.json" with { type: "json" };
import directoryJournal from "../../migrations/directory/meta/_journal.json" with { type: "json" };
import { type DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import type { Database } from "./client.ts";
import type { BeforeRoundTrip } from "./round-trips.ts";

export type DatabaseKind = "directory" | "cell";

/** The last migration that this build knows of each kind of database. */
export const wanted: Readonly<Record<DatabaseKind, string>> = { directory: lastOf(directoryJournal), cell: lastOf(cellJournal) };

function lastOf({ entries }: { readonly entries: readonly { readonly tag: string }[] }): string {
  return `${entries.at(-1)?.tag ?? ""}.sql`;
}

/** The last migration that was applied to a database: wrangler notes them in a table of its own. */
export const LAST_MIGRATION = "SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1";

/** The last migration that was applied to a database; null if none was. */
export async function lastMigration(db: Database): Promise<string | null> {
  return (await db.get<{ name: string } | undefined>(sql.raw(LAST_MIGRATION)))?.name ?? null;
}

/**
 * Whether a database has all migrations of this build, by the last that was applied. One that has later ones too is fine:
 * an earlier build runs on it after a step back.
 */
export function isMigrated(kind: DatabaseKind, last: string | null): boolean {
  return (last ?? "") >= wanted[kind];
}

/** The databases that this isolate has found to have all migrations. */
const migrated = new Set<DatabaseName>();

/** Ends what the isolate knows of its databases, as if it had just been started. */
export function forgetMigrated(): void {
  migrated.clear();
}

/**
 * Refuses writes to a database that lacks migrations of this build, for example after it was restored: what they hold up
 * would not hold. Reads go on. An isolate asks the database before the first write, until it has them; a later restoration
 * ends with a deployment, and so with new isolates.
 */
export function requireMigrations(d1: D1Database, databaseName: DatabaseName): BeforeRoundTrip {
  const kind = databaseName === DIRECTORY ? "directory" : "cell";
  const check = async () => {
    const last = await d1.prepare(LAST_MIGRATION).first<string>("name");
    if (!isMigrated(kind, last)) {
      const name = databaseName === DIRECTORY ? "the directory" : `cell ${databaseName}`;
      throw new Error(`${name} is behind: its last migration is ${last ?? "none"}, and this build writes from ${wanted[kind]} on`);
    }
    migrated.add(databaseName);
  };
  return (isWrite) => (isWrite && !migrated.has(databaseName) ? check() : null);
}
