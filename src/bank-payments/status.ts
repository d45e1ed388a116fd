/**
 * The bank's payment statuses, grouped into stages. Notifications come in any order, so a payment never returns to an
 * earlier stage. Within a stage, the last received status wins. A paid stage overrides an earlier rejection: after a
 * rejected card, a customer may pay with another card.
 */
const STAGES = {
  open: ["NEW", "FORM_SHOWED", "AUTHORIZING", "3DS_CHECKING", "3DS_CHECKED", "PAY_CHECKING"],
  authorized: ["AUTHORIZED", "CONFIRMING", "CONFIRM_CHECKING"],
  rejected: ["REJECTED", "AUTH_FAIL"],
  over: ["CANCELED", "DEADLINE_EXPIRED", "ATTEMPTS_EXPIRED", "REVERSING", "PARTIAL_REVERSED", "REVERSED"],
  paid: ["CONFIRMED", "REFUNDING", "ASYNC_REFUNDING"],
  partly_refunded: ["PARTIAL_REFUNDED"],
  refunded: ["REFUNDED"],
} as const;

type Stage = keyof typeof STAGES;

const STAGE_ORDER: readonly Stage[] = ["open", "authorized", "rejected", "over", "paid", "partly_refunded", "refunded"];

/** Every status that the bank documents. */
export const bankStatuses: readonly string[] = STAGE_ORDER.flatMap((stage) => STAGES[stage]);

const STAGE_OF: ReadonlyMap<string, Stage> = new Map(
  STAGE_ORDER.flatMap((stage) => STAGES[stage].map((status) => [status, stage] as const)),
);

/** The stage of a status; undefined for an undocumented status. */
export function stageOf(status: string): Stage | undefined {
  return STAGE_OF.get(status);
}

/** The statuses that this status overwrites: all of its own stage and of earlier stages. None for an unknown status. */
export function overwritableStatuses(status: string): readonly string[] {
  const stage = stageOf(status);
  return stage === undefined ? [] : STAGE_ORDER.slice(0, STAGE_ORDER.indexOf(stage) + 1).flatMap((earlier) => STAGES[earlier]);
}

/**
 * Whether the customer has paid and we still hold some of the money. Then the partner event is recorded. If the first
 * status seen is a full refund, there is no such event, because the partner must not deliver anything.
 */
export function isPaidStatus(status: string): boolean {
  return ["CONFIRMED", "PARTIAL_REFUNDED"].includes(status);
}

/** Whether the customer's money was taken, even if it was refunded later. */
export function isPaidOrRefunded(status: string): boolean {
  return ["paid", "partly_refunded", "refunded"].includes(stageOf(status) ?? "open");
}

/** Whether the status only changes if we act, so that polling can stop. */
export function isFinal(status: string): boolean {
  const stage = stageOf(status);
  return stage === "over" || stage === "refunded" || isPaidStatus(status);
}
