import { SECOND } from "../../core/clock.ts";
import type { MessageQueue } from "../../core/message-queue.ts";
import { backoff } from "../../core/retry.ts";
import { noteWork } from "../../core/work.ts";
import type { Cell } from "../../db/client.ts";
import { type ClaimedDelivery, claimDelivery } from "./claims.ts";
import { type AttemptResult, recordFailure, recordInternalError, recordSuccess } from "./results.ts";
import { retryDelay } from "./schedule.ts";
import { type SendDeps, sendDelivery } from "./send.ts";

export interface DeliveryDeps extends SendDeps {
  readonly db: Cell;
  readonly deliveryQueue: MessageQueue;
}

/**
 * Limits on how many waiting deliveries of one endpoint a consumer processes for one message. The consumer has other
 * messages to process, and one invocation may run at most 1000 D1 statements for its batch of five messages.
 */
const BACKLOG_TIME_LIMIT = 10 * SECOND;
const MAX_ATTEMPTS_PER_MESSAGE = 12;

/** The minimum delay after a failure before the next delivery to the same endpoint. */
const MIN_DELAY_AFTER_FAILURE = 1 * SECOND;

/**
 * Makes one attempt at a delivery if it is due, is not claimed by another consumer, and its endpoint has a free slot.
 * Then continues with the waiting deliveries of that endpoint, so that a backlog does not need one queue message per
 * delivery. Two D1 round trips per attempt. If a consumer dies between claim and result, the sweep releases the
 * delivery. The event may then be sent twice; receivers detect the duplicate by the event id.
 */
export async function attemptDelivery(deps: DeliveryDeps, eventId: string): Promise<void> {
  const until = deps.clock.now() + BACKLOG_TIME_LIMIT;
  let next = await attemptOne(deps, eventId);
  for (let made = 1; next !== null && made < MAX_ATTEMPTS_PER_MESSAGE && deps.clock.now() < until; made += 1) {
    next = await attemptOne(deps, next);
  }
  if (next !== null) await deps.deliveryQueue.send([next]);
}

/** Makes one attempt. Returns the next delivery to attempt, or null if none is to be attempted now. */
async function attemptOne(deps: DeliveryDeps, eventId: string): Promise<string | null> {
  const claim = await claimDelivery(deps.db, eventId, deps.clock.now());
  if (claim.kind === "waits") {
    // The consumer that frees a slot continues with it. During a cooldown there may be no such consumer, so enqueue it.
    const cooldownLeft = claim.cooldownUntil - deps.clock.now();
    if (cooldownLeft > 0) await deps.deliveryQueue.send([eventId], cooldownLeft);
    return null;
  }
  if (claim.kind === "nothing") return null;

  const { delivery } = claim;
  noteWork({ partner: delivery.partnerId });
  const { retryAfter, ...answer } = await sendDelivery(deps, delivery);
  const result: AttemptResult = { ...answer, endedAt: deps.clock.now() };
  logAttempt(deps, delivery, result);
  if (result.errorClass === null) {
    const { next } = await withRetry(() => recordSuccess(deps.db, delivery, result));
    const [first = null, ...others] = next;
    await deps.deliveryQueue.send(others);
    return first;
  }
  const isInternal = result.errorClass === "secret";
  const wait = isInternal ? 0 : retryDelay(delivery.scheduledAttempts, retryAfter, Math.random());
  const turn = await withRetry(() =>
    isInternal
      ? recordInternalError(deps.db, delivery, result)
      : recordFailure(deps.db, delivery, result, {
          nextAttemptAt: wait === null ? null : result.endedAt + wait,
          requestedCooldown: asksForCooldown(result) ? retryAfter : 0,
        }),
  );
  if (turn.suspended) deps.log.info("endpoint suspended", { endpoint: delivery.endpointId, by: eventId, error_class: result.errorClass });
  else if (wait !== null) await deps.deliveryQueue.send([eventId], Math.max(wait, turn.cooldownUntil - deps.clock.now()));
  await deps.deliveryQueue.send(turn.next, Math.max(MIN_DELAY_AFTER_FAILURE, turn.cooldownUntil - deps.clock.now()));
  return null;
}

/** Whether `Retry-After` applies to the whole receiver, and not only to this event. */
function asksForCooldown({ status }: AttemptResult): boolean {
  return status === 429 || status === 503;
}

function logAttempt(deps: SendDeps, { eventId, number, endpointId }: ClaimedDelivery, { status, errorClass }: AttemptResult): void {
  deps.log.info("delivery attempted", { event: eventId, endpoint: endpointId, attempt: number, status, error_class: errorClass });
}

const MAX_WRITE_TRIES = 3;

/** Retries a write after a transient database error: an event that was sent but not recorded would be sent again. */
export async function withRetry<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (thrown) {
      if (tries === MAX_WRITE_TRIES) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, backoff(tries)));
    }
  }
}
