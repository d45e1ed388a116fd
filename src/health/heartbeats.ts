import { eq, inArray, sql } from "drizzle-orm";
import type { CellCode } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import { type Cell, type Directory, inList } from "../db/client.ts";
import { heartbeats } from "../db/schema/health.ts";

const CRON = "cron";
const nameOf = (cell: CellCode) => `cell ${cell}`;

/** Stores that the cron ran. */
export function noteCronRun(directory: Directory, now: number): Promise<void> {
  return note(directory, CRON, now);
}

/** Stores that the cron reached a cell. @throws if the cell does not answer */
export async function noteReached({ directory, db, databaseName, clock }: ReachedDeps): Promise<void> {
  await db.get(sql`SELECT id FROM movements WHERE id = ''`);
  await note(directory, nameOf(databaseName), clock.now());
}

interface ReachedDeps {
  readonly directory: Directory;
  readonly db: Cell;
  readonly databaseName: CellCode;
  readonly clock: Clock;
}

async function note(directory: Directory, name: string, now: number): Promise<void> {
  await directory
    .insert(heartbeats)
    .values({ name, at: now })
    .onConflictDoUpdate({ target: heartbeats.name, set: { at: now } });
}

/** When the cron last reached each of these cells; null for never. One D1 round trip. */
export async function lastReached(directory: Directory, cells: readonly CellCode[]): Promise<ReadonlyMap<CellCode, number | null>> {
  const rows = await directory
    .select()
    .from(heartbeats)
    .where(inArray(heartbeats.name, inList(cells.map(nameOf))))
    .all();
  return new Map(cells.map((cell) => [cell, rows.find(({ name }) => name === nameOf(cell))?.at ?? null]));
}

/** When the cron last ran. No row before the first run. */
export function lastCronRun(directory: Directory) {
  return directory.select({ at: heartbeats.at }).from(heartbeats).where(eq(heartbeats.name, CRON));
}
