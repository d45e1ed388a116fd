/** The one state of each object that counts, for partners, operators, commands and stories. Times are Unix milliseconds. */

/** Of a product: only an approved one is sold. */
export const moderationStates = ["in_review", "approved", "rejected"] as const;
/** Of a link. `closed`: it had the payments that it was for, or its time is over. `disabled`: by a person. */
export const linkStates = ["open", "closed", "disabled"] as const;
export const codeStates = ["active", "expired", "disabled"] as const;
export const keyStates = ["active", "expired", "revoked", "disabled"] as const;
export const personStates = ["active", "invited", "no_passkey", "disabled"] as const;
export const grantStates = ["active", "expired", "revoked", "disabled"] as const;
/** Of an agent's request that a person confirms. `done`: it was approved and carried out. */
export const confirmationStates = ["pending", "approved", "done", "refused", "expired"] as const;
/** Of an order, with what followed its payment. `expired`: it can no longer be paid. */
export const orderStates = ["pending", "paid", "partly_refunded", "refunded", "disputed", "failed", "expired"] as const;
/** Of a dispute. `closed`: it ended without a verdict. */
export const disputeStates = ["needs_response", "under_review", "won", "lost", "closed"] as const;
export const webhookStates = ["active", "failing", "suspended"] as const;

type State<States extends readonly string[]> = States[number];

interface LinkTimes {
  readonly disabledAt: number | null;
  readonly closedAt: number | null;
  readonly closesAt: number | null;
}

export function stateOfLink({ disabledAt, closedAt, closesAt }: LinkTimes, now: number): State<typeof linkStates> {
  if (disabledAt !== null) return "disabled";
  return closedAt !== null || isOver(closesAt, now) ? "closed" : "open";
}

interface CodeTimes {
  readonly deactivatedAt: number | null;
  readonly expiresAt: number | null;
}

/** One that had expired before it was deactivated is expired: its text was given to another code. */
export function stateOfCode({ deactivatedAt, expiresAt }: CodeTimes, now: number): State<typeof codeStates> {
  if (deactivatedAt !== null && !isOver(expiresAt, deactivatedAt)) return "disabled";
  return isOver(expiresAt, now) ? "expired" : "active";
}

export interface KeyTimes {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
  /** Of the person that the key belongs to. */
  readonly employeeStatus: string | null;
  readonly partnerStatus: string;
}

/** Why a key does not work, or that it does. `disabled`: its person is, or its partner. */
export function stateOfKey({ revokedAt, expiresAt, employeeStatus, partnerStatus }: KeyTimes, now: number): State<typeof keyStates> {
  if (revokedAt !== null) return "revoked";
  if (isOver(expiresAt, now)) return "expired";
  return employeeStatus === "disabled" || partnerStatus === "disabled" ? "disabled" : "active";
}

interface PersonFacts {
  readonly status: "active" | "disabled";
  readonly passkeys: number;
  /** Until when their invitation can be accepted. */
  readonly invitedUntil: number | null;
}

/** `invited` and `no_passkey`: the person cannot sign in, and can or cannot make a passkey. */
export function stateOfPerson({ status, passkeys, invitedUntil }: PersonFacts, now: number): State<typeof personStates> {
  if (status === "disabled") return "disabled";
  if (passkeys > 0) return "active";
  return invitedUntil === null || isOver(invitedUntil, now) ? "no_passkey" : "invited";
}

interface GrantTimes {
  readonly endedAt: number | null;
  readonly expiresAt: number;
}

/** `disabled`: its key does not work. */
export function stateOfGrant({ endedAt, expiresAt }: GrantTimes, key: KeyTimes | undefined, now: number): State<typeof grantStates> {
  if (endedAt !== null) return "revoked";
  if (isOver(expiresAt, now)) return "expired";
  return key === undefined || stateOfKey(key, now) === "active" ? "active" : "disabled";
}

interface ConfirmationFacts {
  readonly decision: "approved" | "refused" | null;
  readonly expiresAt: number;
  readonly doneAt: number | null;
}

export function stateOfConfirmation({ decision, expiresAt, doneAt }: ConfirmationFacts, now: number): State<typeof confirmationStates> {
  if (doneAt !== null) return "done";
  if (decision === "refused") return "refused";
  if (isOver(expiresAt, now)) return "expired";
  return decision ?? "pending";
}

interface WebhookFacts {
  readonly status: "active" | "suspended";
  readonly failingSince: number | null;
}

export function stateOfWebhook({ status, failingSince }: WebhookFacts): State<typeof webhookStates> {
  if (status === "suspended") return "suspended";
  return failingSince === null ? "active" : "failing";
}

/** Whether a webhook is suspended, and its partner cannot resume it. */
export const isHeld = ({ suspensionReason }: { readonly suspensionReason: string | null }): boolean =>
  suspensionReason === "operator" || suspensionReason === "partner_disabled";

/** The processor's statuses of a dispute in which evidence can be given. */
export const awaitedStatuses = ["needs_response", "warning_needs_response"] as const;
/** Those of a dispute that ended without a verdict. */
export const closedStatuses = ["warning_closed", "prevented"] as const;

/** The state of a dispute by the processor's status: one that is new to this service is under review. */
export function stateOfDispute(status: string): State<typeof disputeStates> {
  if (awaitedStatuses.some((one) => one === status)) return "needs_response";
  if (status === "won" || status === "lost") return status;
  return closedStatuses.some((one) => one === status) ? "closed" : "under_review";
}

/** Whether a customer's bank only asks: no money is taken. */
export const isInquiry = (status: string): boolean => status.startsWith("warning_");

/** Statuses of the processor in which a subscription has ended. */
export const endedStatuses: readonly string[] = ["canceled", "incomplete_expired"];

interface SubscriptionFacts {
  readonly status: string;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly currentPeriodEnd: number | null;
}

/** The processor's status; `ending` if a subscription that goes on has its end scheduled. */
export const stateOfSubscription = (facts: SubscriptionFacts): string => (isEnding(facts) ? "ending" : facts.status);

/** When a subscription that goes on will end; null without a scheduled end, and for one that has ended. */
export const endOfSubscription = (facts: SubscriptionFacts): number | null =>
  isEnding(facts) ? (facts.cancelAt ?? facts.currentPeriodEnd) : null;

/** Statuses in which the processor charges each period. A past due one is charged again, too. */
export const chargedStatuses: readonly string[] = ["active", "trialing", "past_due"];

/** When a subscription is charged next: at the end of its period, unless it ends or collection is paused before. Null if it is not. */
export function nextChargeOf(facts: SubscriptionFacts & { readonly collectionPaused: boolean }): number | null {
  const { status, currentPeriodEnd, collectionPaused } = facts;
  const end = endOfSubscription(facts);
  if (!chargedStatuses.includes(status) || collectionPaused) return null;
  return end !== null && currentPeriodEnd !== null && end <= currentPeriodEnd ? null : currentPeriodEnd;
}

/** Whether a subscription has ended: it is never charged again, and its end cannot be scheduled. */
export const hasEnded = ({ status }: Pick<SubscriptionFacts, "status">): boolean => endedStatuses.includes(status);

const isEnding = (facts: SubscriptionFacts): boolean => !hasEnded(facts) && (facts.cancelAtPeriodEnd || facts.cancelAt !== null);

const isOver = (end: number | null, now: number): boolean => end !== null && end <= now;
