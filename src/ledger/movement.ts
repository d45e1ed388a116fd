import type { movements } from "../db/schema/ledger.ts";

/** The kind of money movement. It is null in a movement that could not be classified. */
export type MovementType = NonNullable<Movement["type"]>;

export type Movement = Omit<typeof movements.$inferSelect, "recordedEvents" | "bookedAt" | "updatedAt">;

/** A movement, with the time of the processor's state. */
export interface SeenMovement extends Movement {
  readonly updatedAt: number;
}

/**
 * The id of a movement is derived from its balance transaction, so the partner is never notified twice. For a refund
 * that was never booked, it is derived from the refund.
 */
export function movementId(processorId: string): string {
  return `processor:${processorId}`;
}

/** The id of the balance transaction that a movement id is derived from. */
export function transactionIdOf(id: string): string {
  return id.replace(/^processor:/, "");
}
