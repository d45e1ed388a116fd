/** The states of a money movement, as partners see them (interface P.3). */
export const movementStatuses = ["completed", "pending", "failed", "refunded", "disputed", "dispute_won"] as const;

/** Within one second, what reverses a movement comes after it: the processor's times are in seconds. */
const AFTER: Readonly<Record<string, number>> = {
  processor_refund: 1,
  processor_dispute_freeze: 1,
  processor_payment_failure: 2,
  processor_refund_failure: 2,
  processor_dispute_return: 2,
};

/** The place of a movement among those of one second, the earliest first; an unclassified one comes first. */
export const rankOf = (type: string | null): number => AFTER[type ?? ""] ?? 0;

/** What moved the money (interface P.5). */
export const movementTypes = [
  "processor_payment_in",
  "processor_payment_failure",
  "processor_refund",
  "processor_refund_failure",
  "processor_dispute_freeze",
  "processor_dispute_return",
] as const;
