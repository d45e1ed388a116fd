import { type KeyAnswer, type KeyRequest, refusal, replayOf, storedError } from "./answer.ts";
import { type AttemptTools, attempt } from "./attempt.ts";
import type { Protocol } from "./protocol.ts";
import { UPSTREAM_KEY_LIFE } from "./run.ts";
import { claimRecord, EMPTY_PROGRESS, type IdempotencyRecord, OwnershipLost, openRecord } from "./store.ts";
import type { AnyWork } from "./work.ts";

interface LiveRun {
  readonly fingerprint: string;
  readonly requestId: string;
  readonly answer: Promise<KeyAnswer>;
}

type Entered = { readonly answer: Promise<KeyAnswer> | KeyAnswer } | "ask_again";
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
      if (entered !== "ask_again") return entered.answer;
    }
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
      resumable: record !== undefined && this.#isResumable(record),
      byHand: request.byHand,
    });
    switch (decision) {
      case "join":
        return { answer: shareOf(live, request.requestId) };
      case "refuse_in_progress":
        return { answer: refusal({ kind: "operation_in_progress" }) };
      case "refuse_different_payload":
        return { answer: refusal({ kind: "key_reused_with_different_payload" }) };
      case "refuse_after_failure":
        return { answer: refusal({ kind: "previous_attempt_failed" }) };
      case "repeat_failure":
        return { answer: refusal(storedError(known(record)) ?? { kind: "internal" }) };
      case "replay":
        return { answer: replayOf(known(record), request.requestId) };
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
    let held: IdempotencyRecord;
    try {
      held = await this.#claim(beginning, record, request);
    } catch (thrown) {
      // Another instance has moved the record since it was read: what it says now is to be decided upon.
      if (thrown instanceof OwnershipLost) return "ask_again";
      throw thrown;
    }
    const answer = attempt(this.#tools, work, held).finally(() => {
      this.#live = null;
    });
    this.#live = { fingerprint: held.fingerprint, requestId: held.requestId, answer };
    return { answer };
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

  /** Once upstream may have forgotten the keys of a failed attempt, there is nothing to be gone on from. */
  #isResumable({ resumable, attemptStartedAt }: IdempotencyRecord): boolean {
    return resumable && this.#tools.clock.now() - attemptStartedAt <= UPSTREAM_KEY_LIFE;
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
async function shareOf(live: LiveRun | null, requestId: string): Promise<KeyAnswer> {
  if (live === null) throw new Error("there is no run to join");
  const answer = await live.answer;
  return answer.ok ? { ...answer, replayed: answer.replayed || live.requestId !== requestId } : answer;
}

function known(record: IdempotencyRecord | undefined): IdempotencyRecord {
  if (record === undefined) throw new Error("decided upon a record that was not read");
  return record;
}
