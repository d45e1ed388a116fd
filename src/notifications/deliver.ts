import { SECOND } from "../core/clock.ts";
import { backoff } from "../core/retry.ts";
import type { WakeUp } from "../core/wake-up.ts";
import type { Database } from "../db/client.ts";
import { type ClaimedDelivery, claimDelivery } from "./claims.ts";
import { type AttemptResult, recordFailure, recordOwnFault, recordSuccess } from "./results.ts";
import { waitAfter } from "./schedule.ts";
import { type SendTools, sendDelivery } from "./send.ts";

export interface DeliveryTools extends SendTools {
  readonly db: Database;
  readonly wakeDeliveries: WakeUp;
}

/**
 * How far a consumer goes on with what waits for the same endpoint: it has other work, and its invocation has a thousand
 * statements for the five messages of its batch.
 */
const GO_ON_FOR = 10 * SECOND;
const MOST_IN_A_ROW = 12;

/** After a failure the same endpoint is not tried with something else at once. */
const LEAST_PAUSE = 1 * SECOND;

/**
 * Makes one attempt at a delivery, if it is due, nobody else has it, and its endpoint has a place for it; and goes on to
 * what waits for that endpoint, so that a backlog is worked off without a message for each. Two D1 round trips an
 * attempt. What dies between claim and result is given back by the sweep, and may then be sent twice: receivers know it
 * by its id.
 */
export async function attemptDelivery(tools: DeliveryTools, eventId: string): Promise<void> {
  const until = tools.clock.now() + GO_ON_FOR;
  let next = await attemptOne(tools, eventId);
  for (let made = 1; next !== null && made < MOST_IN_A_ROW && tools.clock.now() < until; made += 1) {
    next = await attemptOne(tools, next);
  }
  if (next !== null) await tools.wakeDeliveries.send([next]);
}

/** One attempt; gives the delivery that has its turn after it, if that is now. */
async function attemptOne(tools: DeliveryTools, eventId: string): Promise<string | null> {
  const claim = await claimDelivery(tools.db, eventId, tools.clock.now());
  if (claim.kind === "waits") {
    // It is woken by whoever frees the place; an endpoint that rests has nobody at work who would.
    const rest = claim.restUntil - tools.clock.now();
    if (rest > 0) await tools.wakeDeliveries.send([eventId], rest);
    return null;
  }
  if (claim.kind === "nothing") return null;

  const { delivery } = claim;
  const { retryAfter, ...answer } = await sendDelivery(tools, delivery);
  const result: AttemptResult = { ...answer, endedAt: tools.clock.now() };
  logAttempt(tools, delivery, result);
  if (result.errorClass === null) {
    const { next } = await insist(() => recordSuccess(tools.db, delivery, result));
    const [first = null, ...others] = next;
    await tools.wakeDeliveries.send(others);
    return first;
  }
  const wait = waitAfter(delivery.scheduledAttempts, retryAfter, Math.random());
  const turn = await insist(() =>
    result.errorClass === "secret"
      ? recordOwnFault(tools.db, delivery, result)
      : recordFailure(tools.db, delivery, result, {
          nextAttemptAt: wait === null ? null : result.endedAt + wait,
          patience: asksForRest(result) ? retryAfter : 0,
        }),
  );
  if (turn.suspended) tools.log.info("endpoint suspended", { endpoint: delivery.endpointId, by: eventId, error_class: result.errorClass });
  else if (wait !== null) await tools.wakeDeliveries.send([eventId], Math.max(wait, turn.restUntil - tools.clock.now()));
  await tools.wakeDeliveries.send(turn.next, Math.max(LEAST_PAUSE, turn.restUntil - tools.clock.now()));
  return null;
}

/** Whether a `Retry-After` speaks of the receiver as a whole, and not of this one event. */
function asksForRest({ status }: AttemptResult): boolean {
  return status === 429 || status === 503;
}

function logAttempt(tools: SendTools, { eventId, number, endpointId }: ClaimedDelivery, { status, errorClass }: AttemptResult): void {
  tools.log.info("delivery attempted", { event: eventId, endpoint: endpointId, attempt: number, status, error_class: errorClass });
}

const MOST_WRITES = 3;

/** What was sent and is not written down is sent again: so a database that fails for a moment is asked again. */
export async function insist<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (thrown) {
      if (tries === MOST_WRITES) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, backoff(tries)));
    }
  }
}
