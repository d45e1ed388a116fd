import { Deadline } from "../core/deadline.ts";
import { failureIn, type KeyAnswer, type KeyRequest, refusal, replayOf, storedError } from "./answer.ts";
import { type AttemptTools, attempt, type Ending, endOfOther } from "./attempt.ts";
import { cleanUp } from "./clean-up.ts";
import type { Protocol } from "./protocol.ts";
import { UPSTREAM_BUDGET } from "./run.ts";
import { claimRecord, EMPTY_PROGRESS, type IdempotencyRecord, OwnershipLost, openRecord, readRecord } from "./store.ts";
import type { AnyWork } from "./work.ts";

interface LiveRun {
  readonly fingerprint: string;
  readonly requestId: string;
  readonly ending: Promise<Ending>;
}

type Entered = { readonly ending: Promise<Ending> | Ending } | "ask_again";
type Beginning = "start" | "resume" | "start_over";

/** A record that moves under us is looked at anew so often: each time somebody else got on with it, or died. */
const MOST_TIMES_ASKED = 4;

/**
 * Serialises one key. Lives in its Durable Object and remembers only whether it is at work; everything else is in
 * the record. "In progress" is thus what a live object knows of itself: a record that says `running` while this
 * object is not at work was cut off, and is resumed at once, without any lease to wait for.
 */
export class KeyRunner<Tools extends AttemptTools> {
  readonly #tools: Tools;
  readonly #owner = crypto.randomUUID();
  #live: LiveRun | null = null;
  #opening: Promise<unknown> = Promise.resolve();
  #otherEnds: Promise<void> | null = null;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Answers a request by the table of the work's generation. Throws only where the record could not be read. */
  async handle(work: AnyWork<Tools>, request: KeyRequest): Promise<KeyAnswer> {
    const { whileOtherRuns } = work.generation.protocolOf(request.key);
    let deadline = this.#newDeadline();
    for (let asked = 1; asked <= MOST_TIMES_ASKED; asked += 1) {
      const entered = await this.#oneAtATime(() => this.#enter(work, request, deadline));
      const ending = entered === "ask_again" ? entered : await entered.ending;
      if (typeof ending === "object") return ending;
      if (ending === "ask_again") continue;
      if (whileOtherRuns === "refuse") break;
      await this.#endOfOther(request.recordId);
      deadline = this.#newDeadline();
    }
    // An operation that waits for another run has no word for one that still goes on.
    return refusal({ kind: whileOtherRuns === "refuse" ? "operation_in_progress" : "internal" });
  }

  /**
   * Takes back what failed attempts have left, if that is due and nobody is at work. A request that comes meanwhile
   * gets the failure once more. Gives whether it did.
   */
  async cleanUp(work: AnyWork<Tools>, recordId: string): Promise<boolean> {
    const begun = await this.#oneAtATime(async () => {
      if (this.#live !== null) return null;
      const record = await readRecord(this.#tools.db, recordId);
      if (record === undefined || record.cleanUpAt === null || record.cleanUpAt > this.#tools.clock.now()) return null;
      const failure = failureOf(record);
      const outcome = cleanUp(this.#tools, work, record, this.#newDeadline());
      void this.#setLive(
        record,
        outcome.then((how) => (how === "moved" ? "ask_again" : failure)),
      );
      return { done: outcome.then((how) => how === "done") };
    });
    return begun === null ? false : begun.done;
  }

  /** One look-out for all requests that wait. */
  #endOfOther(recordId: string): Promise<void> {
    this.#otherEnds ??= endOfOther(this.#tools, recordId).finally(() => {
      this.#otherEnds = null;
    });
    return this.#otherEnds;
  }

  /** Reads and decides. Only one request at a time does, so that two repeats of a finished key both get its result. */
  async #enter(work: AnyWork<Tools>, request: KeyRequest, deadline: Deadline): Promise<Entered> {
    const protocol = work.generation.protocolOf(request.key);
    const live = this.#live;
    const opened = live === null ? await this.#open(work, request) : null;
    const record = opened?.record;
    const decision = protocol.decide({
      stored: opened === null ? "running" : opened.fresh ? "none" : (record?.state ?? "none"),
      live: live !== null,
      samePayload: (live ?? record)?.fingerprint === request.fingerprint,
      expired: this.#isExpired(record, protocol),
      resumable: record?.resumable ?? false,
      byHand: request.byHand,
    });
    switch (decision) {
      case "join":
        return { ending: shareOf(live, request.requestId) };
      case "refuse_in_progress":
        return { ending: refusal({ kind: "operation_in_progress" }) };
      case "refuse_different_payload":
        return { ending: refusal({ kind: "key_reused_with_different_payload" }) };
      case "refuse_after_failure":
        return { ending: refusal({ kind: "previous_attempt_failed" }) };
      case "repeat_failure":
        return { ending: failureOf(known(record)) };
      case "replay":
        return { ending: replayOf(known(record), request.requestId) };
      case "start":
      case "start_over":
        if (request.refuseNew !== null) return { ending: refusal(request.refuseNew) };
        return this.#begin(work, decision, known(record), request, deadline);
      case "resume":
        return this.#begin(work, decision, known(record), request, deadline);
    }
  }

  /** A request that may not begin anything leaves no record where there is none. */
  async #open(work: AnyWork<Tools>, request: KeyRequest): Promise<{ record: IdempotencyRecord | undefined; fresh: boolean }> {
    if (request.refuseNew !== null) return { record: await readRecord(this.#tools.db, request.recordId), fresh: false };
    const { recordId: id, partnerId, operation, key, fingerprint, plan, requestId } = request;
    const wanted = { id, partnerId, generation: work.generation.name, operation, key, fingerprint, plan, requestId };
    return openRecord(this.#tools.db, wanted, this.#owner, this.#tools.clock.now());
  }

  #begin(work: AnyWork<Tools>, beginning: Beginning, record: IdempotencyRecord, request: KeyRequest, deadline: Deadline): Entered {
    const ending = this.#perform(work, beginning, record, request, deadline);
    return { ending: this.#setLive({ ...record, requestId: request.requestId }, ending) };
  }

  async #perform(
    work: AnyWork<Tools>,
    beginning: Beginning,
    record: IdempotencyRecord,
    request: KeyRequest,
    deadline: Deadline,
  ): Promise<Ending> {
    const tools = { ...this.#tools, log: this.#tools.log.with({ request: request.trace }) };
    try {
      if (beginning === "start_over" && record.cleanUpAt !== null) {
        // What was left is cleared up first: whoever begins anew knows nothing of it.
        const outcome = await cleanUp(tools, work, record, deadline);
        return outcome === "failed" ? failureOf(record) : "ask_again";
      }
      // What was tried again before, while clearing up, is no retry of this attempt.
      deadline.retries = 0;
      const held = await this.#claim(beginning, record, request);
      return await attempt(tools, work, held, deadline, beginning === "resume");
    } catch (thrown) {
      // Another instance has moved the record since it was read: what it says now is to be decided upon.
      if (thrown instanceof OwnershipLost) return "ask_again";
      throw thrown;
    }
  }

  #newDeadline(): Deadline {
    return new Deadline(this.#tools.clock, UPSTREAM_BUDGET);
  }

  /** Somebody is at work on the key until `ending` is there. */
  #setLive({ fingerprint, requestId }: Pick<IdempotencyRecord, "fingerprint" | "requestId">, work: Promise<Ending>): Promise<Ending> {
    const ending = work.finally(() => {
      this.#live = null;
    });
    this.#live = { fingerprint, requestId, ending };
    return ending;
  }

  async #claim(beginning: Beginning, record: IdempotencyRecord, { plan, requestId }: KeyRequest): Promise<IdempotencyRecord> {
    const { db, clock } = this.#tools;
    const now = clock.now();
    if (beginning === "start") return record;
    if (beginning === "resume") return claimRecord(db, record, this.#owner, now, { requestId });
    const afresh = {
      requestId,
      plan,
      attempt: record.attempt + 1,
      attemptStartedAt: now,
      begunAt: now,
      progress: EMPTY_PROGRESS,
      resumable: false,
    };
    // After a failure it is still the same request, and its failures count; after a result a new one begins.
    const newRequest = { result: null, error: null, failures: 0, failedAttempts: 0, createdAt: now };
    return claimRecord(db, record, this.#owner, now, { ...afresh, ...(record.state === "completed" ? newRequest : {}) });
  }

  #isExpired(record: IdempotencyRecord | undefined, { replayWindow }: Protocol): boolean {
    const completedAt = record?.completedAt ?? null;
    return replayWindow !== null && completedAt !== null && this.#tools.clock.now() - completedAt > replayWindow;
  }

  #oneAtATime<Result>(section: () => Promise<Result>): Promise<Result> {
    const result = this.#opening.then(section, section);
    this.#opening = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }
}

/** The outcome of the run under way. It is its own to the very request that began it, asked again by our own hand. */
async function shareOf(live: LiveRun | null, requestId: string): Promise<Ending> {
  if (live === null) throw new Error("there is no run to join");
  const ending = await live.ending;
  if (typeof ending === "string" || !ending.ok) return ending;
  return { ...ending, replayed: ending.replayed || live.requestId !== requestId };
}

/** The failure that the record's last attempt ended in, once more. */
function failureOf(record: IdempotencyRecord): KeyAnswer {
  return failureIn(record.state, storedError(record) ?? { kind: "internal" });
}

function known(record: IdempotencyRecord | undefined): IdempotencyRecord {
  if (record === undefined) throw new Error("decided upon a record that was not read");
  return record;
}
