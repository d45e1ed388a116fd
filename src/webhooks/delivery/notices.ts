import { and, eq, type SQL, sql } from "drizzle-orm";
import { requireIdCode } from "../../core/cell-code.ts";
import { DAY, HOUR } from "../../core/clock.ts";
import type { Cell, Statement } from "../../db/client.ts";
import { endpoints } from "../../db/schema/webhooks.ts";
import type { PartnerEvent } from "../outbox/events/define-event.ts";
import { webhookFailing, webhookRecovered } from "../outbox/events/webhook-health.ts";
import { recordEvent } from "../outbox/store.ts";
import type { AttemptResult, EndedAttempt } from "./attempts.ts";
import type { ClaimedDelivery } from "./claims.ts";

/** A webhook that has only failed for so long has a notice. */
const STAGES = [1 * HOUR, 1 * DAY, 3 * DAY] as const;
const [FIRST_STAGE] = STAGES;
/** An event that has failed so often has a notice: the next attempt is two hours later. */
const NOTICED_ATTEMPTS = 4;

/** An event to record, if the condition holds at its place in the batch. */
interface Notice {
  readonly event: PartnerEvent;
  readonly onlyIf: SQL;
}

/**
 * The notices of a failed attempt at a webhook, each recorded once: all deliveries have failed for an hour, a day, three days;
 * the webhook is suspended; an event has failed four times, which is for half an hour, while others succeed, and one was given up, for the
 * first time on a day. A chat has none.
 */
export async function noticesOfFailure(claimed: ClaimedDelivery, result: AttemptResult, isLast: boolean): Promise<Notice[]> {
  if (claimed.channel !== null) return [];
  const { endedAt, status, errorClass } = result;
  const { partnerId, environment, endpointId, endpointName, eventId, scheduledAttempts, revision } = claimed;
  const failingSince = claimed.failingSince ?? endedAt;
  const day = String(Math.floor(endedAt / DAY));
  const facts = {
    partnerId,
    environment,
    endpointId,
    name: endpointName,
    event: eventId,
    attempts: scheduledAttempts,
    status,
    failingSince: claimed.failingSince,
  };
  const stage = STAGES.findLast((one) => endedAt - failingSince >= one);
  const isSuspended = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${endpointId} AND status = 'suspended' AND suspended_at = ${endedAt})`;
  const make = async (reason: Parameters<typeof webhookFailing.make>[1]["reason"], once: string, onlyIf = sql`TRUE`): Promise<Notice> => ({
    event: await webhookFailing.make(requireIdCode(eventId), { ...facts, reason, once }),
    onlyIf,
  });
  return Promise.all([
    ...(stage === undefined ? [] : [make("only_failures", `${failingSince}:${stage / HOUR}`)]),
    ...(errorClass === "gone" || stage === STAGES.at(-1) ? [make("suspended", String(revision), isSuspended)] : []),
    ...(stage === undefined && !isLast && scheduledAttempts >= NOTICED_ATTEMPTS ? [make("event_failing", day)] : []),
    ...(isLast ? [make("event_exhausted", day)] : []),
  ]);
}

/** The notices of successful attempts: these webhooks take deliveries again after an hour or more without a success. */
export async function noticesOfSuccess(successes: readonly EndedAttempt[]): Promise<Notice[]> {
  const recovered = successes.flatMap(({ claimed, result: { endedAt } }) => {
    const { failingSince, manual, channel } = claimed;
    if (failingSince === null || manual || channel !== null || endedAt - failingSince < FIRST_STAGE) return [];
    return [{ ...claimed, failingSince, endedAt }];
  });
  return Promise.all(
    recovered.map(async ({ partnerId, environment, endpointId, endpointName, eventId, failingSince, revision, endedAt }) => {
      const facts = { partnerId, environment, endpointId, name: endpointName, failingSince, recoveredAt: endedAt };
      const isSame = and(eq(endpoints.id, endpointId), eq(endpoints.revision, revision), eq(endpoints.failingSince, failingSince));
      return {
        event: await webhookRecovered.make(requireIdCode(eventId), facts),
        onlyIf: sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE ${isSame})`,
      };
    }),
  );
}

export const recordNotices = (db: Cell, notices: readonly Notice[], now: number): Statement[] =>
  notices.map(({ event, onlyIf }) => recordEvent(db, event, now, onlyIf));
