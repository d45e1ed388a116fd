import type { CellCode, IdCode } from "../core/cell-code.ts";
import { type Clock, MINUTE } from "../core/clock.ts";
import { Memory } from "../core/memory.ts";
import type { MovedCells } from "../db/find-row.ts";
import { findLocation, type LocatedPartner, readMovedCells } from "./read-location.ts";

/** How long an isolate remembers a partner's location. */
const REMEMBERED_FOR = 1 * MINUTE;
/** The number of partners that an isolate remembers. */
const MAX_REMEMBERED = 10_000;

/** Finds the location of a partner; null for an unknown one. `fresh`: read now, not from the isolate's memory. */
export type FindPartnerLocation = (partnerId: string, how?: { readonly fresh: boolean }) => Promise<LocatedPartner | null>;

/**
 * One D1 round trip, or none: each event of the processor needs a location, and it only changes when a partner moves.
 * An unknown partner is never remembered, because it may be created at any moment.
 */
export function createPartnerLocations(directory: D1Database, clock: Clock): FindPartnerLocation {
  const remembered = new Memory<LocatedPartner>(REMEMBERED_FOR, MAX_REMEMBERED);
  return async (partnerId, { fresh } = { fresh: false }) => {
    const now = clock.now();
    const known = fresh ? undefined : remembered.get(partnerId, now);
    if (known !== undefined) return known;
    const location = await findLocation(directory, partnerId);
    if (location !== null) remembered.remember(partnerId, location, now);
    return location;
  };
}

interface Moved {
  readonly cells: ReadonlyMap<IdCode, readonly CellCode[]>;
  readonly at: number;
}

/** One D1 round trip, or none: partners rarely move. If the directory is unreachable, the last known list is used, unless it is to be `fresh`. */
export function createMovedCells(directory: D1Database, clock: Clock): MovedCells {
  let known: Moved | null = null;
  const ask = async (): Promise<Moved> => {
    const at = clock.now();
    return { cells: await readMovedCells(directory), at };
  };
  return async (code, { fresh }) => {
    const last: Moved | null = known;
    const isDue = last === null || clock.now() >= last.at + (fresh ? 1 : REMEMBERED_FOR);
    const moved: Moved = !isDue ? last : last === null || fresh ? await ask() : await ask().catch(() => last);
    known = moved;
    return moved.cells.get(code) ?? [];
  };
}
