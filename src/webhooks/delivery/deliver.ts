import { SECOND } from "../../core/clock.ts";
import type { Memory } from "../../core/memory.ts";
import type { MessageQueue } from "../../core/message-queue.ts";
import { backoff } from "../../core/retry.ts";
import { annotateTrace } from "../../core/trace.ts";
import type { Cell } from "../../db/client.ts";
import { internalErrors } from "../../db/schema/webhooks.ts";
import type { AttemptResult, EndedAttempt } from "./attempts.ts";
import { Batcher } from "./batcher.ts";
import { type Claim, type ClaimedDelivery, claimDeliveries } from "./claims.ts";
import { recordFailure, recordInternalError } from "./failures.ts";
import { retryDelay } from "./schedule.ts";
import { type SendDeps, sendDelivery } from "./send.ts";
import { SLOW_AFTER } from "./slow-receivers.ts";
import { recordSuccesses } from "./successes.ts";

export interface DeliveryDeps extends SendDeps {
  readonly db: Cell;
  readonly deliveryQueue: MessageQueue;
  readonly slowReceivers: Memory<true>;
}

/** The batch of a message, which waits for it. */
export interface OwnBatch {
  /** The receiver was slow recently: the batch does not wait for it. */
  release(): void;
  /** The receiver has answered, or has failed to. */
  noteAnswer(): void;
}

const NO_BATCH: OwnBatch = { release: () => undefined, noteAnswer: () => undefined };

/**
 * Limits on how many waiting deliveries of one endpoint a consumer processes for one message. The consumer has other
 * messages to process, and one invocation may run at most 1000 D1 statements for its batch of five messages.
 */
const BACKLOG_TIME_LIMIT = 10 * SECOND;
const MAX_ATTEMPTS_PER_MESSAGE = 12;

/** The minimum delay after a failure before the next delivery to the same endpoint. */
const MIN_DELAY_AFTER_FAILURE = 1 * SECOND;

/**
 * How long a success waits for others of the same consumer, so that one round trip records them all. In milliseconds.
 */
const RESULTS_WAIT = 20;

/**
 * The maximum number of deliveries per round trip: the values of their attempts must fit into the parameters of one
 * statement.
 */
const MAX_TOGETHER = 10;

/**
 * Attempts the deliveries of one batch of messages. Deliveries that start together share the round trip that claims
 * them, and successes that come together share the one that records them.
 */
export class Deliverer {
  readonly #deps: DeliveryDeps;
  readonly #claims: Batcher<string, Claim>;
  readonly #successes: Batcher<EndedAttempt, string[]>;
  /** The number of receivers that may answer within the batching time. */
  #expected = 0;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#claims = new Batcher((ids) => claimDeliveries(deps.db, ids, deps.clock.now()), 0, MAX_TOGETHER);
    this.#successes = new Batcher((all) => recordSuccesses(deps.db, all), RESULTS_WAIT, MAX_TOGETHER);
  }

  claim(deliveryId: string): Promise<Claim> {
    return this.#claims.ask(deliveryId);
  }

  async send(delivery: ClaimedDelivery, batch: OwnBatch): ReturnType<typeof sendDelivery> {
    const { clock, slowReceivers } = this.#deps;
    const { endpointId } = delivery;
    const wasSlow = slowReceivers.get(endpointId, clock.now()) === true;
    if (wasSlow) batch.release();
    else this.#expected += 1;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      slowReceivers.remember(endpointId, true, clock.now());
    }, SLOW_AFTER);
    try {
      return await sendDelivery(this.#deps, delivery);
    } finally {
      batch.noteAnswer();
      clearTimeout(timer);
      if (!wasSlow) this.#expected -= 1;
      if (!isSlow) slowReceivers.forget(endpointId);
    }
  }

  /** Records the successes so far. */
  recordNow(): Promise<void> {
    return this.#successes.flush();
  }

  recordSuccess(success: EndedAttempt): Promise<string[]> {
    const next = this.#successes.ask(success);
    if (this.#expected === 0) void this.recordNow();
    return next;
  }
}

/**
 * Makes one attempt at a delivery if it is due, is not claimed by another consumer, and its endpoint has a free slot.
 * Then continues with the waiting deliveries of that endpoint, so that a backlog does not need one queue message per
 * delivery. Two D1 round trips per attempt, shared with others of the same consumer. If a consumer dies between claim
 * and result, the sweep releases the delivery. The event may then be sent twice; receivers detect the duplicate by the
 * event id.
 */
export async function attemptDelivery(
  deps: DeliveryDeps,
  deliveryId: string,
  deliverer = new Deliverer(deps),
  batch: OwnBatch = NO_BATCH,
): Promise<void> {
  const until = deps.clock.now() + BACKLOG_TIME_LIMIT;
  let next = await attemptOne(deps, deliverer, deliveryId, batch);
  for (let made = 1; next !== null && made < MAX_ATTEMPTS_PER_MESSAGE && deps.clock.now() < until; made += 1) {
    next = await attemptOne(deps, deliverer, next, batch);
  }
  if (next !== null) await deps.deliveryQueue.send([next]);
}

/** Makes one attempt. Returns the next delivery to attempt, or null if none is to be attempted now. */
async function attemptOne(deps: DeliveryDeps, deliverer: Deliverer, deliveryId: string, batch: OwnBatch): Promise<string | null> {
  const claim = await deliverer.claim(deliveryId);
  if (claim.kind === "waits") {
    // The consumer that frees a slot continues with it. During a cooldown there may be no such consumer, so enqueue it.
    const cooldownLeft = claim.cooldownUntil - deps.clock.now();
    if (cooldownLeft > 0) await deps.deliveryQueue.send([deliveryId], cooldownLeft);
    return null;
  }
  if (claim.kind === "nothing") return null;

  const { delivery } = claim;
  annotateTrace({ partner: delivery.partnerId });
  const { retryAfter, ...answer } = await deliverer.send(delivery, batch);
  const result: AttemptResult = { ...answer, endedAt: deps.clock.now() };
  logAttempt(deps, delivery, result);
  if (result.errorClass === null) {
    const [first = null, ...others] = await withRetry(() => deliverer.recordSuccess({ claimed: delivery, result }));
    await deps.deliveryQueue.send(others);
    return first;
  }
  // Earlier successes are recorded before this failure.
  await deliverer.recordNow();
  const isInternal = internalErrors.includes(result.errorClass);
  const wait = isInternal ? 0 : retryDelay(delivery.scheduledAttempts, retryAfter, Math.random(), delivery.channel !== null);
  const turn = await withRetry(() =>
    isInternal
      ? recordInternalError(deps.db, delivery, result)
      : recordFailure(deps.db, delivery, result, {
          nextAttemptAt: wait === null ? null : result.endedAt + wait,
          requestedCooldown: asksForCooldown(result) ? retryAfter : 0,
        }),
  );
  if (turn.suspended)
    deps.log.info("endpoint suspended", { endpoint: delivery.endpointId, by: deliveryId, error_class: result.errorClass });
  else if (wait !== null) await deps.deliveryQueue.send([deliveryId], Math.max(wait, turn.cooldownUntil - deps.clock.now()));
  await deps.deliveryQueue.send(turn.notices);
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
