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
import type { UntypedRun } from "./workflow.ts";

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
export class RecordRun implements UntypedRun {
  readonly recordId: string;
  readonly partnerId: string;
  readonly actor: Actor;
  readonly createdAt: number;
  readonly begunAt: number;
  readonly failedAttempts: number;
  readonly resumed: boolean;
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

  get keysAreOld(): boolean {
    return this.#clock.now() - this.#held.attemptStartedAt > UPSTREAM_KEY_TTL;
  }

  async renewKeys() {
    const renewed = { attempt: this.#held.attempt + 1, attemptStartedAt: this.#clock.now() };
    await this.write(renewed, []);
    this.#held = { ...this.#held, ...renewed };
  }

  calledBetween() {
    return { from: this.#held.attemptStartedAt, to: this.#lastCalledAt };
  }

  upstreamKey(step: string, variant = ""): Promise<string> {
    this.#lastCalledAt = this.#clock.now() + UPSTREAM_BUDGET;
    return upstreamKeyOf(this.#held, step, variant);
  }

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

  stepOutput<Output>(name: string, schema: z.ZodType<Output>): Output | undefined {
    const { steps } = this.#progress;
    return name in steps ? schema.parse(steps[name]) : undefined;
  }

  async memo<Output>(name: string, schema: z.ZodType<Output>, ask: () => Promise<Output>) {
    const known = this.readNote(name, schema);
    if (known !== undefined) return known;
    const output = await ask();
    this.#progress.notes[name] = output;
    return output;
  }

  readNote<Output>(name: string, schema: z.ZodType<Output>): Output | undefined {
    const { notes } = this.#progress;
    return name in notes ? schema.parse(notes[name]) : undefined;
  }

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
