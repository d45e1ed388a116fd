import * as z from "zod";
import { type Actor, SERVICE_NAME } from "../core/actor.ts";
import { type CallBudget, UPSTREAM_BUDGET } from "../core/call-budget.ts";
import type { Clock } from "../core/clock.ts";
import { HOUR } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { parseJson } from "../core/json.ts";
import type { Log } from "../core/log.ts";
import type { Cell } from "../db/client.ts";
import type { Write } from "../db/prepared.ts";
import { upstreamKeyOf } from "./key.ts";
import { advanceRecord, type IdempotencyRecord, NOTHING_LEFT } from "./store.ts";

/**
 * How long the upstream keys of an attempt are valid. The processor forgets a key after 24 hours and would then execute
 * the call a second time. One hour is the margin for clock differences.
 */
const UPSTREAM_KEY_TTL = 23 * HOUR;

/** The owner of a completed record: none. A new run on the same key claims it by epoch. */
const NO_OWNER = "";

const progressSchema = z.object({ steps: z.record(z.string(), z.unknown()), notes: z.record(z.string(), z.unknown()) });

/** Dependencies of a run. */
export interface RunDeps {
  readonly db: Cell;
  readonly clock: Clock;
  readonly log: Log;
  /** New records of a partner per day. */
  readonly settings: { readonly recordsPerDay: number };
  /** Whether the processor may be called for a partner now; otherwise the run waits for a rate-limit slot. */
  readonly mayCallFor: (partnerId: string, environment: Environment) => Promise<boolean>;
}

/** A run on a record that this object has claimed. */
export class RecordRun {
  readonly recordId: string;
  readonly partnerId: string;
  /** Who started the run. What it makes names this holder. */
  readonly actor: Actor;
  /** The time of the first request, in Unix milliseconds. An expired result that starts over sets it again. */
  readonly createdAt: number;
  /** When the record last started or started over, in Unix milliseconds. A resumed run keeps it. */
  readonly begunAt: number;
  /** Failed attempts since {@link RecordRun.createdAt}. */
  readonly failedAttempts: number;
  /** Whether an earlier run of this attempt may have done more than the record shows. */
  readonly resumed: boolean;
  /** The limit for all upstream calls of this run together; it counts their retries. */
  readonly budget: CallBudget;
  readonly #db: Cell;
  readonly #clock: Clock;
  /** The record as claimed. Its epoch is updated with each of our writes. */
  #held: IdempotencyRecord;
  readonly #progress: z.infer<typeof progressSchema>;
  /** The latest time at which a call may have been made, in Unix milliseconds. */
  #lastCalledAt: number;
  #completed: IdempotencyRecord | null = null;

  /** @param earlier the record of an interrupted earlier run; null if this is the first run of its attempt. */
  constructor(db: Cell, clock: Clock, held: IdempotencyRecord, budget: CallBudget, earlier: IdempotencyRecord | null) {
    this.recordId = held.id;
    this.partnerId = held.partnerId;
    this.actor = { name: held.holder ?? SERVICE_NAME, requestId: held.requestId };
    this.createdAt = held.createdAt;
    this.begunAt = held.begunAt;
    this.failedAttempts = held.failedAttempts;
    this.resumed = earlier !== null;
    this.budget = budget;
    this.#db = db;
    this.#clock = clock;
    this.#held = held;
    this.#lastCalledAt = (earlier ?? held).updatedAt + UPSTREAM_BUDGET;
    this.#progress = parseJson(progressSchema, held.progress);
  }

  /** The outputs of all steps and all notes so far. Each write of the record stores it. */
  get progress(): string {
    return JSON.stringify(this.#progress);
  }

  /** The record as it was stored with its result; null until the run is complete. */
  get completed(): IdempotencyRecord | null {
    return this.#completed;
  }

  get hasCompletedSteps(): boolean {
    return Object.keys(this.#progress.steps).length > 0;
  }

  /** Whether the upstream may have forgotten the attempt's keys. Then a search must precede each call. */
  get keysAreOld(): boolean {
    return this.#clock.now() - this.#held.attemptStartedAt > UPSTREAM_KEY_TTL;
  }

  /** Gives the attempt new keys. Call it only if the calls under the old keys certainly created nothing. */
  async renewKeys() {
    const renewed = { attempt: this.#held.attempt + 1, attemptStartedAt: this.#clock.now() };
    await this.write(renewed, []);
    this.#held = { ...this.#held, ...renewed };
  }

  /**
   * The period in which calls under the attempt's current keys were made, in Unix milliseconds. A search looks for
   * objects created in it.
   */
  calledBetween() {
    return { from: this.#held.attemptStartedAt, to: this.#lastCalledAt };
  }

  /**
   * The upstream key of a step, valid while {@link RecordRun.keysAreOld} is false. `variant` separates calls of one
   * step with other parameters.
   */
  upstreamKey(step: string, variant = ""): Promise<string> {
    this.#lastCalledAt = this.#clock.now() + UPSTREAM_BUDGET;
    return upstreamKeyOf(this.#held, step, variant);
  }

  /**
   * The output of a step: from the record if an earlier run has stored it, else from `make`. A new output is stored in
   * one transaction with the rows that follow from it, before anything else happens.
   */
  async step<Output>(name: string, schema: z.ZodType<Output>, make: () => Promise<Output>, rows: (output: Output) => readonly Write[]) {
    const made = this.stepOutput(name, schema);
    if (made !== undefined) return made;
    const output = await make();
    const { steps, notes } = this.#progress;
    // Added to #progress only after output and rows are stored, because a failed attempt stores #progress.
    await this.write({ progress: JSON.stringify({ steps: { ...steps, [name]: output }, notes }) }, rows(output));
    steps[name] = output;
    return output;
  }

  /** The output of a step of this run, or of an earlier run that this one continues. */
  stepOutput<Output>(name: string, schema: z.ZodType<Output>): Output | undefined {
    const { steps } = this.#progress;
    return name in steps ? schema.parse(steps[name]) : undefined;
  }

  /** Like {@link RecordRun.step}, for a query that is cheap to repeat: its output is stored with the next write. */
  async memo<Output>(name: string, schema: z.ZodType<Output>, ask: () => Promise<Output>) {
    const known = this.readNote(name, schema);
    if (known !== undefined) return known;
    const output = await ask();
    this.#progress.notes[name] = output;
    return output;
  }

  /** A value that this attempt stored by {@link RecordRun.saveNote} or {@link RecordRun.memo}. */
  readNote<Output>(name: string, schema: z.ZodType<Output>): Output | undefined {
    const { notes } = this.#progress;
    return name in notes ? schema.parse(notes[name]) : undefined;
  }

  /** Stores a value for a resumed run, before this run continues. */
  async saveNote(name: string, output: unknown) {
    const { steps, notes } = this.#progress;
    await this.write({ progress: JSON.stringify({ steps, notes: { ...notes, [name]: output } }) }, []);
    notes[name] = output;
  }

  async complete<Result>(result: Result, rows: readonly Write[]): Promise<Result> {
    const text = JSON.stringify(result);
    const done = { state: "completed", result: text, error: null, resumable: false, compensateAt: null } as const;
    const changes = { ...done, ...NOTHING_LEFT, owner: NO_OWNER, completedAt: this.#clock.now() };
    await this.write(changes, rows);
    this.#completed = { ...this.#held, ...changes };
    return result;
  }

  /** Writes the record and `rows` in one transaction. @throws OwnershipLost if another instance has claimed it. */
  async write(changes: Parameters<typeof advanceRecord>[3], rows: readonly Write[]): Promise<void> {
    const epoch = await advanceRecord(this.#db, this.#held, this.#clock.now(), changes, rows);
    this.#held = { ...this.#held, epoch };
  }
}
