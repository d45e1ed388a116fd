import { sql } from "drizzle-orm";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, DAY } from "../core/clock.ts";
import { environments } from "../core/environment.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Region } from "../core/regions.ts";
import type { Cell, Directory } from "../db/client.ts";
import { isMigrated, lastMigration } from "../db/migrations.ts";
import { withinReach } from "../db/reach.ts";
import { DATABASE_BYTES, NEARLY_FULL } from "../db/size.ts";
import { countPartnersByCell } from "../partners/store.ts";
import { ALL, readDays } from "./store.ts";

/** What a payment adds to its cell before anything is let go of, in bytes: docs/scale.md has how it was measured. */
const BYTES_OF_PAYMENT = 2_800;

/** The days that the daily payments are the mean of. Today is not whole yet. */
const DAYS = 7;

/** `behind`: it lacks migrations of this build, and refuses writes. */
export const cellStates = ["ok", "behind", "out_of_reach"] as const;
type CellState = (typeof cellStates)[number];

/** A cell as an operator who plans sees it. */
export interface CellFigures {
  readonly cell: CellCode;
  /** Null where no setting says it. */
  readonly region: Region | null;
  readonly partners: number;
  readonly state: CellState;
  /** Null if the database is out of reach, as are the two that follow. */
  readonly bytes: number | null;
  readonly paymentsADay: number | null;
  /** Null also if nothing is paid. */
  readonly daysUntilFull: number | null;
}

interface CellsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly directory: Directory;
  readonly everyCell: () => readonly { readonly databaseName: CellCode; readonly db: Cell }[];
  readonly regionOf: (cell: CellCode) => Region | null;
}

/** All cells, by their codes. One that is out of reach does not hide the others. */
export async function readCells(deps: CellsDeps): Promise<CellFigures[]> {
  const partners = await countPartnersByCell(deps.directory);
  return Promise.all(
    deps.everyCell().map(async ({ databaseName: cell, db }) => {
      const known = { cell, region: deps.regionOf(cell), partners: partners.get(cell) ?? 0 };
      try {
        return { ...known, ...(await withinReach(askCell(db, deps.clock.now()))) };
      } catch (thrown) {
        deps.log.error("cell out of reach", { cell, ...errorFields(thrown) });
        return { ...known, state: "out_of_reach" as const, bytes: null, paymentsADay: null, daysUntilFull: null };
      }
    }),
  );
}

/**
 * The cell for a new partner: of those in the region, if one is wanted, that with the fewest partners. One that is nearly full,
 * behind or out of reach comes last. Null if no cell is in the region.
 */
export function emptiestOf(cells: readonly CellFigures[], region: Region | null): CellCode | null {
  // Of those that have room, the bytes do not matter.
  const fullness = ({ state, bytes }: CellFigures) =>
    state !== "ok" || bytes === null ? Number.POSITIVE_INFINITY : bytes < NEARLY_FULL ? 0 : bytes;
  const [emptiest] = cells
    .filter((cell) => region === null || cell.region === region)
    .toSorted((left, right) => {
      const [one, other] = [fullness(left), fullness(right)];
      return one === other ? left.partners - right.partners : one - other;
    });
  return emptiest?.cell ?? null;
}

async function askCell(db: Cell, now: number) {
  const [bytes, paymentsADay, last] = await Promise.all([sizeOf(db), paymentsADayOf(db, now), lastMigration(db)]);
  const state: CellState = isMigrated("cell", last) ? "ok" : "behind";
  return { state, bytes, paymentsADay, daysUntilFull: daysUntilFull(bytes, paymentsADay) };
}

/** How many days a cell still takes as many payments a day. Null for no payments; 0 if it is full. */
export function daysUntilFull(bytes: number, paymentsADay: number): number | null {
  if (paymentsADay === 0) return null;
  return Math.max(0, Math.floor((DATABASE_BYTES - bytes) / (paymentsADay * BYTES_OF_PAYMENT)));
}

/** The size of the database in bytes, as the platform says it with each answer. */
async function sizeOf(db: Cell): Promise<number> {
  return (await db.run(sql`SELECT 1`)).meta.size_after;
}

async function paymentsADayOf(db: Cell, now: number): Promise<number> {
  const today = now - (now % DAY);
  const days = Array.from({ length: DAYS }, (_, index) => today - (index + 1) * DAY);
  const counted = await Promise.all(environments.map((environment) => readDays(db, ALL, environment, days)));
  const payments = counted.flatMap(([rows]) => rows).reduce((sum, row) => sum + row.payments, 0);
  return payments / DAYS;
}

/** How full a database of so many bytes is; null where it is not known. */
export function perCentFull(bytes: number | null): number | null {
  return bytes === null ? null : Math.round((100 * bytes) / DATABASE_BYTES);
}
