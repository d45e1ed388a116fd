import { sql } from "drizzle-orm";
import cellJournal from "../../migrations/cell/meta/_journal.json" with { type: "json" };
import directoryJournal from "../../migrations/directory/meta/_journal.json" with { type: "json" };
import type { Database } from "./client.ts";
import type { BeforeTrip } from "./trips.ts";

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

/**
 * Refuses writes to a database that lacks migrations of this build, for example after it was restored: what they hold up
 * would not hold. Reads go on. The database is asked before the first write, until it has them; a later restoration ends
 * with a deployment, and so with new isolates.
 */
export function requireMigrations(d1: D1Database, kind: DatabaseKind, name: string): BeforeTrip {
  let hasAll = false;
  const check = async () => {
    const last = await d1.prepare(LAST_MIGRATION).first<string>("name");
    if (!isMigrated(kind, last)) {
      throw new Error(`${name} is behind: its last migration is ${last ?? "none"}, and this build writes from ${wanted[kind]} on`);
    }
    hasAll = true;
  };
  return (isWrite) => (isWrite && !hasAll ? check() : null);
}
