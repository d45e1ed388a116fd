/** The states of a money movement, as partners see them (interface P.3). */
export const movementStatuses = ["completed", "pending", "failed", "refunded", "disputed", "dispute_won"] as const;

/** The processor's times are in seconds. Within one second, a movement that reverses another one comes after it. */
const AFTER: Readonly<Record<string, number>> = {
  processor_refund: 1,
  processor_dispute_freeze: 1,
  processor_payment_failure: 2,
  processor_refund_failure: 2,
  processor_dispute_return: 2,
};

/** The rank of a movement type within one second, lowest first; an unclassified movement comes first. */
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

/** What reports and statements count a movement as: one that failed, or came back, as the one that it reverses. */
export const movementKinds = ["payment", "refund", "dispute"] as const;

/** The types of a kind. What could not be classified counts as a payment: it is money in any case. */
export const typesOfKind = {
  payment: ["processor_payment_in", "processor_payment_failure"],
  refund: ["processor_refund", "processor_refund_failure"],
  dispute: ["processor_dispute_freeze", "processor_dispute_return"],
} as const satisfies Readonly<Record<(typeof movementKinds)[number], readonly (typeof movementTypes)[number][]>>;
