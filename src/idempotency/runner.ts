import { type CallBudget, upstreamBudget } from "../core/call-budget.ts";
import {
  begunResponse,
  errorResponse,
  failureResponse,
  type KeyRequest,
  type KeyResponse,
  refusalResponse,
  replayResponse,
  storedError,
} from "./answer.ts";
import { type AttemptOutcome, attempt, waitForOther } from "./attempt.ts";
import { compensate } from "./compensation.ts";
import { tooManyRecords } from "./daily-records.ts";
import type { Protocol } from "./protocol.ts";
import type { RunDeps } from "./run.ts";
import { claimRecord, EMPTY_PROGRESS, type IdempotencyRecord, OwnershipLost, openRecord, readRecord } from "./store.ts";
import type { AnyWorkflow } from "./workflow.ts";

interface LiveRun {
  readonly fingerprint: string;
  readonly requestId: string;
  readonly outcome: Promise<AttemptOutcome>;
}

type Decided = { readonly outcome: Promise<AttemptOutcome> | AttemptOutcome } | "retry_now";
/** The start of a run on its record. A resumed run keeps the plan of the record. */
type Beginning = { readonly how: "start" | "start_over"; readonly plan: string } | { readonly how: "resume" };

/** The maximum number of reads of a record if another instance changes it, or dies, during the request. */
const MAX_READS = 4;

/**
 * Serialises the requests of one key. It lives in the key's Durable Object. In memory it keeps only the live run, and a
 * completed record, which no longer changes; all other state is in the record. So "in progress" means that this object
 * has a live run. If the record says `running` and this object has no live run, the run was interrupted. It is resumed
 * at once; there is no lease to wait for.
 */
export class KeyRunner<Deps extends RunDeps> {
  readonly #deps: Deps;
  readonly #owner = crypto.randomUUID();
  #live: LiveRun | null = null;
  /**
   * The record with its result. No instance changes it during its replay window, and while what it names can be used, so it
   * is answered from memory only then. Afterwards the database decides, because another instance may have started a new run.
   */
  #completed: IdempotencyRecord | null = null;
  #opening: Promise<unknown> = Promise.resolve();
  #otherRunEnded: Promise<void> | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Answers a request by the state table of the workflow's generation. Throws only if the record cannot be read. */
  async handle(workflow: AnyWorkflow<Deps>, request: KeyRequest): Promise<KeyResponse> {
    const { whileOtherRuns } = workflow.generation.forKey(request.key);
    let budget = this.#newDeadline(request.partnerId);
    for (let reads = 1; reads <= MAX_READS; reads += 1) {
      const decided = await this.#oneAtATime(() => this.#enter(workflow, request, budget));
      const outcome = decided === "retry_now" ? decided : await decided.outcome;
      if (typeof outcome === "object") return outcome;
      if (outcome === "retry_now") continue;
      if (whileOtherRuns === "refuse") break;
      await this.#waitForOther(request.recordId);
      budget = this.#newDeadline(request.partnerId);
    }
    // A protocol that waits has no error for a run in progress, so the error is `internal`.
    return errorResponse({ kind: whileOtherRuns === "refuse" ? "operation_in_progress" : "internal" });
  }

  /**
   * Compensates failed attempts if this is due and no run is live. A request that joins the compensation gets the
   * stored failure. Returns whether compensation was done.
   */
  async compensate(workflow: AnyWorkflow<Deps>, recordId: string): Promise<boolean> {
    const begun = await this.#oneAtATime(async () => {
      if (this.#live !== null) return null;
      const record = await readRecord(this.#deps.db, recordId);
      if (record === undefined || record.compensateAt === null || record.compensateAt > this.#deps.clock.now()) return null;
      const failure = failureOf(record);
      const outcome = compensate(this.#deps, workflow, record, this.#newDeadline(record.partnerId));
      void this.#setLive(
        record,
        outcome.then((how) => (how === "superseded" ? "retry_now" : failure)),
      );
      return { done: outcome.then((how) => how === "done") };
    });
    return begun === null ? false : begun.done;
  }

  /** One polling loop for all waiting requests. */
  #waitForOther(recordId: string): Promise<void> {
    this.#otherRunEnded ??= waitForOther(this.#deps, recordId).finally(() => {
      this.#otherRunEnded = null;
    });
    return this.#otherRunEnded;
  }

  /** Reads the record and decides. Decisions are serialised: the second request sees the run that the first one started. */
  async #enter(workflow: AnyWorkflow<Deps>, request: KeyRequest, budget: CallBudget): Promise<Decided> {
    const protocol = workflow.generation.forKey(request.key);
    const live = this.#live;
    const opened = live === null ? (this.#remembered(protocol) ?? (await this.#open(workflow, request))) : null;
    const record = opened?.record;
    const isUsable = await this.#isUsable(workflow, record, request, protocol);
    // Another instance may have started a new run since this object remembered the record. The database decides.
    if (!isUsable && record !== undefined && record === this.#completed) {
      this.#completed = null;
      return "retry_now";
    }
    const decision = protocol.decide({
      stored: opened === null ? "running" : opened.fresh ? "none" : (record?.state ?? "none"),
      live: live !== null,
      samePayload: request.fingerprints.some((fingerprint) => fingerprint === (live ?? record)?.fingerprint),
      expired: this.#isExpired(record, protocol) || !isUsable,
      resumable: record?.resumable ?? false,
      manual: request.manual,
    });
    if (request.isDryRun === true && (decision === "join" || decision === "resume")) {
      const begun = record ?? (await readRecord(this.#deps.db, request.recordId));
      return { outcome: begunResponse(requireRecord(begun)) };
    }
    switch (decision) {
      case "join":
        return { outcome: joinLive(live, request.requestId) };
      case "refuse_in_progress":
        return { outcome: errorResponse({ kind: "operation_in_progress" }) };
      case "refuse_different_payload":
        return { outcome: errorResponse({ kind: "key_reused_with_different_payload" }) };
      case "refuse_after_failure":
        return { outcome: errorResponse({ kind: "previous_attempt_failed" }) };
      case "repeat_failure":
        return { outcome: failureOf(requireRecord(record)) };
      case "replay":
        this.#completed = requireRecord(record);
        return { outcome: replayResponse(this.#completed, request.requestId) };
      case "start":
      case "start_over":
        if ("refusal" in request.start) return { outcome: refusalResponse(request.start.refusal) };
        if (record === undefined)
          return {
            outcome: errorResponse(
              tooManyRecords(budgetOf(workflow, request.start.plan), this.#deps.clock.now(), this.#deps.settings.recordsPerDay),
            ),
          };
        return this.#begin(workflow, { how: decision, plan: request.start.plan }, record, request, budget);
      case "resume": {
        const environment = workflow.environmentOf(requireRecord(record).plan);
        if (environment !== null && request.environments?.includes(environment) === false)
          return { outcome: errorResponse({ kind: "environment_missing", environment }) };
        return this.#begin(workflow, { how: "resume" }, requireRecord(record), request, budget);
      }
    }
  }

  /** Whether a result may be replayed: what it names can be used, or the request has a key of its client. */
  async #isUsable(
    workflow: AnyWorkflow<Deps>,
    record: IdempotencyRecord | undefined,
    { manual }: KeyRequest,
    protocol: Protocol,
  ): Promise<boolean> {
    const result = record?.state === "completed" ? record.result : null;
    if (record === undefined || result === null || manual || !protocol.whileUsable || this.#isExpired(record, protocol)) return true;
    return (await workflow.isUsable?.(this.#deps, result, record)) ?? true;
  }

  /** The completed record, during its replay window. */
  #remembered(protocol: Protocol): { record: IdempotencyRecord; fresh: boolean } | null {
    const record = this.#completed;
    return record === null || this.#isExpired(record, protocol) ? null : { record, fresh: false };
  }

  /** A request that may not start a run creates no record. Neither does a request above the partner's daily limit. */
  async #open(workflow: AnyWorkflow<Deps>, request: KeyRequest): Promise<{ record: IdempotencyRecord | undefined; fresh: boolean }> {
    if ("refusal" in request.start) return { record: await readRecord(this.#deps.db, request.recordId), fresh: false };
    const { recordId: id, partnerId, operation, key, requestId, holder } = request;
    const [fingerprint] = request.fingerprints;
    const { plan } = request.start;
    const wanted = { id, partnerId, generation: workflow.generation.name, operation, key, fingerprint, plan, requestId, holder };
    const { db, clock, settings } = this.#deps;
    return openRecord(db, wanted, this.#owner, { now: clock.now(), most: settings.recordsPerDay, budget: budgetOf(workflow, plan) });
  }

  #begin(workflow: AnyWorkflow<Deps>, beginning: Beginning, record: IdempotencyRecord, request: KeyRequest, budget: CallBudget): Decided {
    const outcome = this.#perform(workflow, beginning, record, request, budget);
    return { outcome: this.#setLive({ ...record, requestId: request.requestId }, outcome) };
  }

  async #perform(
    workflow: AnyWorkflow<Deps>,
    beginning: Beginning,
    record: IdempotencyRecord,
    request: KeyRequest,
    budget: CallBudget,
  ): Promise<AttemptOutcome> {
    const deps = { ...this.#deps, log: this.#deps.log.with({ request: request.trace }) };
    budget.environment = workflow.environmentOf(beginning.how === "resume" ? record.plan : beginning.plan) ?? budget.environment;
    try {
      if (beginning.how === "start_over" && record.compensateAt !== null) {
        // Compensates first, because the new run does not know the old side effects.
        const outcome = await compensate(deps, workflow, record, budget);
        return outcome === "failed" ? failureOf(record) : "retry_now";
      }
      // Retries during compensation do not count as retries of this attempt.
      budget.retries = 0;
      const held = await this.#claim(beginning, record, request);
      return await attempt(deps, workflow, held, budget, beginning.how === "resume" ? record : null, (completed) => {
        this.#completed = completed;
      });
    } catch (thrown) {
      // Another instance has changed the record since it was read. Read it again and decide again.
      if (thrown instanceof OwnershipLost) return "retry_now";
      throw thrown;
    }
  }

  #newDeadline(partnerId: string): CallBudget {
    return upstreamBudget(this.#deps.clock, (environment) => this.#deps.mayCallFor(partnerId, environment));
  }

  /** Marks the key as live until `work` settles. */
  #setLive(
    { fingerprint, requestId }: Pick<IdempotencyRecord, "fingerprint" | "requestId">,
    running: Promise<AttemptOutcome>,
  ): Promise<AttemptOutcome> {
    const outcome = running.finally(() => {
      this.#live = null;
    });
    this.#live = { fingerprint, requestId, outcome };
    return outcome;
  }

  async #claim(beginning: Beginning, record: IdempotencyRecord, { requestId, holder }: KeyRequest): Promise<IdempotencyRecord> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    if (beginning.how === "start") return record;
    if (beginning.how === "resume") return claimRecord(db, record, this.#owner, now, { requestId });
    const restarted = {
      requestId,
      holder,
      plan: beginning.plan,
      attempt: record.attempt + 1,
      attemptStartedAt: now,
      begunAt: now,
      progress: EMPTY_PROGRESS,
      resumable: false,
    };
    // After a failure, the request is the same and its failures still count. After a result, a new request starts.
    const newRequest = { result: null, completedAt: null, error: null, failures: 0, failedAttempts: 0, createdAt: now };
    return claimRecord(db, record, this.#owner, now, { ...restarted, ...(record.state === "completed" ? newRequest : {}) });
  }

  #isExpired(record: IdempotencyRecord | undefined, { replayWindow }: Protocol): boolean {
    const completedAt = record?.completedAt ?? null;
    return replayWindow !== null && completedAt !== null && this.#deps.clock.now() - completedAt > replayWindow;
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

/** The outcome of the live run. It is not a replay for the request that started the run (our internal retry). */
async function joinLive(live: LiveRun | null, requestId: string): Promise<AttemptOutcome> {
  if (live === null) throw new Error("there is no run to join");
  const outcome = await live.outcome;
  if (typeof outcome === "string" || !outcome.ok) return outcome;
  return { ...outcome, replayed: outcome.replayed || live.requestId !== requestId };
}

/** The budget of a new record. Test records and other permissions have separate budgets. */
function budgetOf<Deps>(workflow: AnyWorkflow<Deps>, plan: string): string {
  return [workflow.budget, workflow.environmentOf(plan) ?? []].flat().join(" ");
}

/** The stored failure of the record's last attempt. */
function failureOf(record: IdempotencyRecord): KeyResponse {
  return failureResponse(record.state, storedError(record) ?? { kind: "internal" });
}

function requireRecord(record: IdempotencyRecord | undefined): IdempotencyRecord {
  if (record === undefined) throw new Error("decision needs a record that was not read");
  return record;
}
