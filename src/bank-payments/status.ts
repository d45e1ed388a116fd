/**
 * The states of a bank payment, in the bank's spelling, as stages. Its notifications come in any order, so a later stage
 * is never left for an earlier one; within a stage the latest word counts. Money that was taken outweighs every earlier
 * refusal: a customer whose card was rejected may pay by another.
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

const IN_ORDER: readonly Stage[] = ["open", "authorized", "rejected", "over", "paid", "partly_refunded", "refunded"];

/** Every status that the bank documents. */
export const bankStatuses: readonly string[] = IN_ORDER.flatMap((stage) => STAGES[stage]);

const STAGE_OF: ReadonlyMap<string, Stage> = new Map(IN_ORDER.flatMap((stage) => STAGES[stage].map((status) => [status, stage] as const)));

/** The stage of a status; undefined for one that the bank does not document. */
export function stageOf(status: string): Stage | undefined {
  return STAGE_OF.get(status);
}

/** The statuses that give way to this one: those of its own stage and of all before it. None for an unknown status. */
export function givingWayTo(status: string): readonly string[] {
  const stage = stageOf(status);
  return stage === undefined ? [] : IN_ORDER.slice(0, IN_ORDER.indexOf(stage) + 1).flatMap((earlier) => STAGES[earlier]);
}

/**
 * Whether a status says that the customer has paid, and that money is still with us: then the partner is told. One that
 * is first heard of as wholly refunded is not told as paid: nothing is to be delivered for it.
 */
export function saysPaid(status: string): boolean {
  return ["CONFIRMED", "PARTIAL_REFUNDED"].includes(status);
}

/** Whether money was taken, whatever has become of it since. */
export function isPaidOrRefunded(status: string): boolean {
  return ["paid", "partly_refunded", "refunded"].includes(stageOf(status) ?? "open");
}

/** Whether nothing will come after a status by itself, so that the bank need not be asked any more. */
export function isOver(status: string): boolean {
  const stage = stageOf(status);
  return stage === "over" || stage === "refunded" || saysPaid(status);
}
