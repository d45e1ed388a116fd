import { type KeyAnswer, type KeyRequest, refusal, replayOf, storedError } from "./answer.ts";
import { type AttemptTools, attempt, type Ending, endOfOther } from "./attempt.ts";
import { cleanUp } from "./clean-up.ts";
import type { Protocol } from "./protocol.ts";
import { claimRecord, EMPTY_PROGRESS, type IdempotencyRecord, OwnershipLost, openRecord, readRecord } from "./store.ts";
import type { AnyWork } from "./work.ts";

interface LiveRun {
  readonly fingerprint: string;
  readonly requestId: string;
  readonly ending: Promise<Ending>;
}

type Entered = { readonly ending: Promise<Ending> | Ending } | "ask_again";
type Beginning = "start" | "resume" | "start_over";

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

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Answers a request by the table of the work's generation. Throws only where the record could not be read. */
  async handle(work: AnyWork<Tools>, request: KeyRequest): Promise<KeyAnswer> {
    for (;;) {
      const entered = await this.#oneAtATime(() => this.#enter(work, request));
      const ending = entered === "ask_again" ? "lost" : await entered.ending;
      if (ending !== "lost") return ending;
      // Another instance of this object has moved the record: what it says afterwards is to be decided upon.
      const waits = work.generation.protocolOf(request.key).whileOtherRuns === "wait";
      const hasEnded = entered === "ask_again" || (waits && (await endOfOther(this.#tools, request.recordId)));
      if (!hasEnded) return refusal({ kind: "operation_in_progress" });
    }
  }

  /** Takes back what failed attempts have left, unless somebody is going on from it. Gives whether nothing is left. */
  cleanUp(work: AnyWork<Tools>, recordId: string): Promise<boolean> {
    return this.#oneAtATime(async () => {
      if (this.#live !== null) return false;
      const record = await readRecord(this.#tools.db, recordId);
      const isDue = record !== undefined && record.cleanUpAt !== null && record.cleanUpAt <= this.#tools.clock.now();
      return !isDue || cleanUp(this.#tools, work, record);
    });
  }

  /** Reads and decides. Only one request at a time does, so that two repeats of a finished key both get its result. */
  async #enter(work: AnyWork<Tools>, request: KeyRequest): Promise<Entered> {
    const protocol = work.generation.protocolOf(request.key);
    const live = this.#live;
    const opened = live === null ? await this.#open(work, request) : null;
    const record = opened?.record;
    const decision = protocol.decide({
      stored: opened === null ? "running" : opened.fresh ? "none" : opened.record.state,
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
        return { ending: refusal(storedError(known(record)) ?? { kind: "internal" }) };
      case "replay":
        return { ending: replayOf(known(record), request.requestId) };
      case "start":
      case "resume":
      case "start_over":
        return this.#begin(work, decision, known(record), request);
    }
  }

  #open(work: AnyWork<Tools>, request: KeyRequest) {
    const { recordId: id, partnerId, operation, key, fingerprint, plan, requestId } = request;
    const wanted = { id, partnerId, generation: work.generation.name, operation, key, fingerprint, plan, requestId };
    return openRecord(this.#tools.db, wanted, this.#owner, this.#tools.clock.now());
  }

  async #begin(work: AnyWork<Tools>, beginning: Beginning, record: IdempotencyRecord, request: KeyRequest): Promise<Entered> {
    // What the last request left is cleared up first: a new one knows nothing of it.
    if (beginning === "start_over" && !(await cleanUp(this.#tools, work, record))) {
      return { ending: refusal(storedError(record) ?? { kind: "internal" }) };
    }
    let held: IdempotencyRecord;
    try {
      held = await this.#claim(beginning, record, request);
    } catch (thrown) {
      if (thrown instanceof OwnershipLost) return "ask_again";
      throw thrown;
    }
    const ending = attempt(this.#tools, work, held).finally(() => {
      this.#live = null;
    });
    this.#live = { fingerprint: held.fingerprint, requestId: held.requestId, ending };
    return { ending };
  }

  async #claim(beginning: Beginning, record: IdempotencyRecord, { plan, requestId }: KeyRequest): Promise<IdempotencyRecord> {
    const { db, clock } = this.#tools;
    const now = clock.now();
    if (beginning === "start") return record;
    if (beginning === "resume") return claimRecord(db, record, this.#owner, now, { requestId });
    const afresh = { requestId, plan, attempt: record.attempt + 1, attemptStartedAt: now, progress: EMPTY_PROGRESS, resumable: false };
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
  if (ending === "lost" || !ending.ok) return ending;
  return { ...ending, replayed: ending.replayed || live.requestId !== requestId };
}

function known(record: IdempotencyRecord | undefined): IdempotencyRecord {
  if (record === undefined) throw new Error("decided upon a record that was not read");
  return record;
}
