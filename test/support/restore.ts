import { env } from "cloudflare:workers";

export type Row = Record<string, string | number | null>;

/** The rows of a database, by table: a copy to go back to. */
export type Copy = ReadonlyMap<string, Row[]>;

/** The tables of ours, and not those of the platform. */
const TABLES =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name NOT LIKE 'd1_%'";

/** Copies all rows of a database, as a backup has them. */
export async function copyOf(db: D1Database): Promise<Copy> {
  const { results } = await db.prepare(TABLES).all<{ name: string }>();
  return new Map(
    await Promise.all(results.map(async ({ name }) => [name, (await db.prepare(`SELECT * FROM ${name}`).all<Row>()).results] as const)),
  );
}

/** Puts a database back to a copy. */
export async function restore(db: D1Database, copy: Copy): Promise<void> {
  const statements = [...copy].flatMap(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {});
    const insert = `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`;
    return [
      db.prepare(`DELETE FROM ${table}`),
      ...rows.map((row) => db.prepare(insert).bind(...columns.map((column) => row[column] ?? null))),
    ];
  });
  // Rows refer to each other; only the whole has to fit.
  await db.batch([db.prepare("PRAGMA defer_foreign_keys = on"), ...statements]);
}

/** Deletes everything in a bucket. */
export async function emptyBucket(): Promise<number> {
  const { objects } = await env.SNAPSHOTS.list();
  await env.SNAPSHOTS.delete(objects.map(({ key }) => key));
  return objects.length;
}

/** Deletes everything in the cache of short links. */
export async function emptyCache(): Promise<number> {
  const { keys } = await env.SHORT_LINKS.list();
  for (const { name } of keys) await env.SHORT_LINKS.delete(name);
  return keys.length;
}
