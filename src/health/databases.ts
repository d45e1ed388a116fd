import { sql } from "drizzle-orm";
import * as z from "zod";
import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import type { Database } from "../db/client.ts";
import { type DatabaseKind, isMigrated, LAST_MIGRATION, wanted } from "../db/migrations.ts";
import { withinReach } from "../db/reach.ts";
import { DATABASE_BYTES, NEARLY_FULL } from "../db/size.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** A larger clock difference is a failure. */
const CLOCK_TOLERANCE = 5 * SECOND;

/** The state of a database. */
interface DatabaseState {
  /** The last migration that was applied. */
  readonly last: string | null;
  /** Its clock, in Unix milliseconds. */
  readonly now: number;
  /** Its size, from the metadata of an answer. */
  readonly bytes: number;
}

const rowSchema = z.object({ last: z.string().nullable(), now: z.number() });

/** @throws if it does not answer in time, or was never migrated */
export async function stateOf(db: Database): Promise<DatabaseState> {
  const asked = sql`SELECT (${sql.raw(LAST_MIGRATION)}) AS last, CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now`;
  const { results, meta } = await withinReach(db.run(asked));
  return { ...rowSchema.parse(results[0]), bytes: meta.size_after };
}

/** Whether a database is reachable, migrated for this build, has the right time, and has room. One D1 round trip. */
export async function checkDatabase(check: string, kind: DatabaseKind, db: Database, clock: Clock): Promise<readonly Finding[]> {
  const began = clock.now();
  const state = await stateOf(db);
  const ms = clock.now() - began;
  if (!isMigrated(kind, state.last)) {
    const detail = `its last migration is ${state.last ?? "none"}, and this build needs ${wanted[kind]}`;
    return [failed(check, detail, "Run `npm run deploy`, which migrates before it deploys.")];
  }
  const off = Math.abs(state.now - clock.now());
  if (off > CLOCK_TOLERANCE + ms) {
    const detail = off < MINUTE ? `its clock is ${Math.round(off / SECOND)} s off` : `its clock is ${Math.round(off / MINUTE)} min off`;
    return [warning(check, detail, "Times in the database are taken from the Worker's clock. Report it to the platform.")];
  }
  if (state.bytes > NEARLY_FULL) return [fullnessOf(check, kind, state.bytes)];
  return [ok(check, `migrated to ${state.last}, answers in ${ms} ms`)];
}

/** The finding for a database that is nearly full. */
export function fullnessOf(check: string, kind: DatabaseKind, bytes: number): Finding {
  const detail = `it is ${Math.round((100 * bytes) / DATABASE_BYTES)} % full`;
  const cure =
    kind === "cell"
      ? "Add a cell, and move or split partners: docs/scale.md."
      : "Check the platform for its largest tables, and the log for callers who store a lot: docs/limits.md lists the limits.";
  return warning(check, detail, cure);
}
