/** The states of a money movement, as partners see them (interface P.3). */
export const movementStatuses = ["completed", "pending", "failed", "refunded", "disputed", "dispute_won"] as const;

/** What moved the money (interface P.5). */
export const movementTypes = [
  "processor_payment_in",
  "processor_payment_failure",
  "processor_refund",
  "processor_refund_failure",
  "processor_dispute_freeze",
  "processor_dispute_return",
] as const;
