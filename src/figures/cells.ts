import { sql } from "drizzle-orm";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, DAY, startOfUtcDay } from "../core/clock.ts";
import { environments } from "../core/environment.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Region } from "../core/regions.ts";
import type { Cell, Directory, NamedCell } from "../db/client.ts";
import { isMigrated, lastMigration } from "../db/migrations.ts";
import { withinReach } from "../db/reach.ts";
import { DATABASE_BYTES, NEARLY_FULL } from "../db/size.ts";
import { countPartnersByCell } from "../partners/location-store.ts";
import { ALL, readDays } from "./store.ts";

/** The bytes that a payment adds to its cell before any row expires; docs/scale.md has the measurement. */
const BYTES_OF_PAYMENT = 3_870;

/** The days of the mean of daily payments. Today is incomplete and does not count. */
const DAYS = 7;

/** `behind`: the cell lacks migrations of this build and refuses writes. */
export const cellStates = ["ok", "behind", "out_of_reach"] as const;
type CellState = (typeof cellStates)[number];

/** The figures of a cell for capacity planning. */
export interface CellFigures {
  readonly cell: CellCode;
  /** Null if no setting says it. */
  readonly region: Region | null;
  readonly partners: number;
  readonly state: CellState;
  /** This and the next two are null if the database is unreachable. */
  readonly bytes: number | null;
  readonly paymentsADay: number | null;
  /** Also null if there are no payments. */
  readonly daysUntilFull: number | null;
}

interface CellsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly directory: Directory;
  readonly everyCell: () => readonly NamedCell[];
  readonly regionOf: (cell: CellCode) => Region | null;
}

/** All cells, by code. An unreachable cell does not hide the others. */
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
 * The cell for a new partner: the one with the fewest partners, in the region if one is given. A cell that is nearly
 * full, behind or unreachable comes last. Null if no cell is in the region.
 */
export function emptiestOf(cells: readonly CellFigures[], region: Region | null): CellCode | null {
  // Among cells with room, the size does not matter.
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

/** The days until a cell is full at this number of daily payments. Null for no payments; 0 if it is full. */
export function daysUntilFull(bytes: number, paymentsADay: number): number | null {
  if (paymentsADay === 0) return null;
  return Math.max(0, Math.floor((DATABASE_BYTES - bytes) / (paymentsADay * BYTES_OF_PAYMENT)));
}

/** The size of the database in bytes, from the metadata of an answer. */
async function sizeOf(db: Cell): Promise<number> {
  return (await db.run(sql`SELECT 1`)).meta.size_after;
}

async function paymentsADayOf(db: Cell, now: number): Promise<number> {
  const today = startOfUtcDay(now);
  const days = Array.from({ length: DAYS }, (_, index) => today - (index + 1) * DAY);
  const counted = await Promise.all(environments.map((environment) => readDays(db, ALL, environment, days)));
  const payments = counted.flatMap(([rows]) => rows).reduce((sum, row) => sum + row.payments, 0);
  return payments / DAYS;
}

/** The fill level in percent; null if the size is unknown. */
export function perCentFull(bytes: number | null): number | null {
  return bytes === null ? null : Math.round((100 * bytes) / DATABASE_BYTES);
}
