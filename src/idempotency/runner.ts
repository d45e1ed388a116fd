import type { Clock } from "../core/clock.ts";
import { type ServiceError, ServiceFailure } from "../core/errors.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Database } from "../db/client.ts";
import { decide } from "./decide.ts";
import { AttemptExpired, RecordRun } from "./run.ts";
import { claimRecord, EMPTY_PROGRESS, type IdempotencyRecord, OwnershipLost, openRecord, readRecord } from "./store.ts";
import type { AnyWork } from "./work.ts";

/** A request for a key, as it reaches the key's Durable Object. */
export interface KeyRequest {
  readonly recordId: string;
  readonly partnerId: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
  /** One per request of a caller: our own repeats of it carry the same. */
  readonly requestId: string;
  /** The plan as JSON; used if the key is new, or starts over. */
  readonly plan: string;
  /** For how many milliseconds after completion the result is replayed; null: for good. */
  readonly replayWindow: number | null;
  /** Whether a failure ends the key for good, where the work says so: keys made from content never end. */
  readonly retryAfterFailure: boolean;
}

/** What the object answers: `result` is JSON; `replayed` says that an earlier request had made it. */
export type KeyAnswer =
  | { readonly ok: true; readonly result: string; readonly replayed: boolean }
  | { readonly ok: false; readonly error: ServiceError };

interface LiveRun {
  readonly fingerprint: string;
  readonly answer: Promise<KeyAnswer>;
}

/**
 * Serialises one key. Lives in its Durable Object and remembers only whether it is at work; everything else is in
 * the record. "In progress" is thus what a live object knows of itself: a record that says `running` while this
 * object is not at work was cut off, and is resumed at once, without any lease to wait for.
 */
export class KeyRunner<Tools> {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #tools: Tools;
  readonly #owner = crypto.randomUUID();
  #live: LiveRun | null = null;
  #opening: Promise<unknown> = Promise.resolve();

  constructor(db: Database, clock: Clock, log: Log, tools: Tools) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#tools = tools;
  }

  /** Answers a request by the table in `decide.ts`. Throws only where the record could not be read. */
  async handle(work: AnyWork<Tools>, request: KeyRequest): Promise<KeyAnswer> {
    for (;;) {
      const entered = await this.#oneAtATime(() => this.#enter(work, request));
      if ("answer" in entered) return entered.answer;
      // Ask again: the run that was waited for may have failed, and then this request is a new try.
      await entered.askAgainAfter;
    }
  }

  /** Reads and decides. Only one request at a time does, so that two repeats of a finished key both get its result. */
  async #enter(
    work: AnyWork<Tools>,
    request: KeyRequest,
  ): Promise<{ answer: Promise<KeyAnswer> | KeyAnswer } | { askAgainAfter: Promise<unknown> }> {
    const rules = { ...work.rules, ...(request.retryAfterFailure ? { afterFailure: "try_again" as const } : {}) };
    const live = this.#live;
    const opened = live === null ? await this.#open(work, request) : null;
    const record = opened?.record;
    const decision = decide(
      {
        stored: opened === null ? "running" : opened.fresh ? "none" : opened.record.state,
        live: live !== null,
        samePayload: (live ?? record)?.fingerprint === request.fingerprint,
        expired: isExpired(record, request.replayWindow, this.#clock.now()),
        resumable: record?.resumable ?? false,
      },
      rules,
    );
    switch (decision) {
      case "wait":
        return { askAgainAfter: live?.answer ?? Promise.resolve() };
      case "refuse_in_progress":
        return { answer: refusal({ kind: "operation_in_progress" }) };
      case "refuse_different_payload":
        return { answer: refusal({ kind: "key_reused_with_different_payload" }) };
      case "refuse_after_failure":
        return { answer: refusal({ kind: "previous_attempt_failed" }) };
      case "replay":
        return { answer: replayOf(record, request.requestId) };
      case "start":
      case "resume":
      case "start_over":
        if (record === undefined) throw new Error(`decided to ${decision} without a record`);
        return this.#begin(work, decision, record, request);
    }
  }

  #open(work: AnyWork<Tools>, request: KeyRequest) {
    const { recordId: id, partnerId, operation, key, fingerprint, plan, requestId } = request;
    const wanted = { id, partnerId, generation: work.generation, operation, key, fingerprint, plan, requestId };
    return openRecord(this.#db, wanted, this.#owner, this.#clock.now());
  }

  async #claim(decision: "start" | "resume" | "start_over", record: IdempotencyRecord, request: KeyRequest): Promise<IdempotencyRecord> {
    const now = this.#clock.now();
    const { plan, requestId } = request;
    if (decision === "start") return record;
    if (decision === "resume") return claimRecord(this.#db, record, this.#owner, now, { requestId });
    const nothingYet = { progress: EMPTY_PROGRESS, result: null, error: null, resumable: false };
    const afresh = { requestId, plan, attempt: record.attempt + 1, attemptStartedAt: now, ...nothingYet };
    return claimRecord(this.#db, record, this.#owner, now, afresh);
  }

  async #begin(work: AnyWork<Tools>, decision: "start" | "resume" | "start_over", record: IdempotencyRecord, request: KeyRequest) {
    let held: IdempotencyRecord;
    try {
      held = await this.#claim(decision, record, request);
    } catch (thrown) {
      // Another instance has moved the record since it was read: what it says now is to be decided upon.
      if (thrown instanceof OwnershipLost) return { askAgainAfter: Promise.resolve() };
      throw thrown;
    }
    const answer = this.#perform(work, held).finally(() => {
      this.#live = null;
    });
    this.#live = { fingerprint: held.fingerprint, answer };
    return { answer };
  }

  async #perform(work: AnyWork<Tools>, held: IdempotencyRecord): Promise<KeyAnswer> {
    const run = new RecordRun(this.#db, this.#clock, held);
    try {
      return { ok: true, result: await work.start(this.#tools, held.plan, run), replayed: false };
    } catch (thrown) {
      if (thrown instanceof OwnershipLost) return this.#afterLoss(held);
      if (thrown instanceof ServiceFailure) return this.#fail(held, run, thrown);
      // Neither done nor definitely failed: the record stays as it is, and the next request resumes it.
      this.#log.error("operation interrupted", { record: held.id, operation: held.operation, ...describeThrown(thrown) });
      return refusal({ kind: "internal" });
    }
  }

  async #fail(held: IdempotencyRecord, run: RecordRun, failure: ServiceFailure): Promise<KeyAnswer> {
    const waiting = failure.error.kind === "short_link_unavailable";
    const changes = {
      state: waiting ? ("awaiting_short_link" as const) : ("failed" as const),
      progress: run.progress,
      error: JSON.stringify(failure.error),
      resumable: !(failure instanceof AttemptExpired) && (failure.outcomeUnknown || run.hasMadeSomething),
    };
    if (failure.cause !== undefined) {
      this.#log.error("operation failed", {
        record: held.id,
        operation: held.operation,
        kind: failure.error.kind,
        ...describeThrown(failure.cause),
      });
    }
    try {
      await run.move(changes, []);
    } catch (thrown) {
      this.#log.error("failure not stored", { record: held.id, operation: held.operation, ...describeThrown(thrown) });
      if (thrown instanceof OwnershipLost) return this.#afterLoss(held);
    }
    return refusal(failure.error);
  }

  /**
   * The fence held a write back: either a commit of ours whose answer was lost, and then the result is there, or
   * another instance of this object is at work on the key.
   */
  async #afterLoss(held: IdempotencyRecord): Promise<KeyAnswer> {
    const record = await readRecord(this.#db, held.id);
    if (record?.state !== "completed") return refusal({ kind: "operation_in_progress" });
    return replayOf(record, held.requestId);
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

function isExpired(record: IdempotencyRecord | undefined, window: number | null, now: number): boolean {
  return window !== null && record !== undefined && record.completedAt !== null && now - record.completedAt > window;
}

function refusal(error: ServiceError): KeyAnswer {
  return { ok: false, error };
}

/** The stored result. To the very request that made it, asked again by our own hand, it is no replay. */
function replayOf(record: IdempotencyRecord | undefined, requestId: string) {
  if (record?.result == null) throw new Error("a completed record has no result");
  return { ok: true, result: record.result, replayed: record.requestId !== requestId } as const;
}
