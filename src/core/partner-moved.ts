/** What the triggers of src/moves/fence.ts say of a write to the data of a partner that leaves the cell. */
export const PARTNER_MOVED = "partner_moved";

/**
 * Whether a write was refused because the partner's data moves to another cell, or has moved. Nothing of its batch was
 * written. The query builder may have wrapped the error.
 */
export function isPartnerMovedError(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) if (error.message.includes(PARTNER_MOVED)) return true;
  return false;
}
