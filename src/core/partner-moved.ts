/** The error text of the triggers in src/moves/fence.ts for a write to a partner that leaves the cell. */
export const PARTNER_MOVED = "partner_moved";

/**
 * Whether a write was refused because the partner is moving to another cell, or has moved. Nothing of its batch was
 * written. The query builder may have wrapped the error.
 */
export function isPartnerMovedError(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) if (error.message.includes(PARTNER_MOVED)) return true;
  return false;
}
