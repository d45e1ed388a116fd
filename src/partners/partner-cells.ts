import type { CellCode } from "../core/cell-code.ts";
import { type Clock, MINUTE } from "../core/clock.ts";
import type { Directory } from "../db/client.ts";
import { findCell } from "./store.ts";

/** How long an isolate remembers where a partner's data is. */
const REMEMBERED_FOR = 1 * MINUTE;
/** Partners that an isolate remembers. */
const MAX_REMEMBERED = 10_000;

/**
 * Finds the cell of a partner; null for an unknown partner. One D1 round trip, or none: each event of the processor asks
 * this, and the answer changes only when a partner's data moves. An unknown partner is never remembered, because it may
 * be created at any moment.
 */
export function createPartnerCells(directory: Directory, clock: Clock): (partnerId: string) => Promise<CellCode | null> {
  const remembered = new Map<string, { readonly cell: CellCode; readonly until: number }>();
  return async (partnerId) => {
    const now = clock.now();
    const known = remembered.get(partnerId);
    if (known !== undefined && known.until > now) return known.cell;
    const cell = await findCell(directory, partnerId);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    if (cell !== null) remembered.set(partnerId, { cell, until: now + REMEMBERED_FOR });
    return cell;
  };
}
