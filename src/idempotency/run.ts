import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { HOUR, SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import { parseJson } from "../core/json.ts";
import type { Database, Statement } from "../db/client.ts";
import { upstreamKeyOf } from "./key.ts";
import { advanceRecord, type IdempotencyRecord } from "./store.ts";
import type { Run } from "./work.ts";

/** All upstream calls of one run together, in milliseconds; a caller waits no longer than that for its answer. */
export const UPSTREAM_BUDGET = 25 * SECOND;

/**
 * For how long upstream is trusted to know the keys of an attempt. The processor forgets a key after 24 hours, and
 * would then do the same thing a second time; an hour is left for clocks that differ.
 */
const UPSTREAM_KEY_LIFE = 23 * HOUR;

const progressSchema = z.object({ steps: z.record(z.string(), z.unknown()), notes: z.record(z.string(), z.unknown()) });

/** A {@link Run} on a record that this object holds. Results are texts here; `sealWork` gives them their types. */
export class RecordRun implements Run<string> {
  readonly recordId: string;
  readonly partnerId: string;
  readonly createdAt: number;
  readonly begunAt: number;
  readonly failedAttempts: number;
  readonly resumed: boolean;
  readonly deadline: Deadline;
  readonly #db: Database;
  readonly #clock: Clock;
  /** As it was claimed; its epoch follows our own moves. */
  #held: IdempotencyRecord;
  readonly #progress: z.infer<typeof progressSchema>;

  constructor(db: Database, clock: Clock, held: IdempotencyRecord, deadline: Deadline, resumed: boolean) {
    this.recordId = held.id;
    this.partnerId = held.partnerId;
    this.createdAt = held.createdAt;
    this.begunAt = held.begunAt;
    this.failedAttempts = held.failedAttempts;
    this.resumed = resumed;
    this.deadline = deadline;
    this.#db = db;
    this.#clock = clock;
    this.#held = held;
    this.#progress = parseJson(progressSchema, held.progress);
  }

  /** The outputs of all steps so far, to be stored when the run cannot go on. */
  get progress(): string {
    return JSON.stringify(this.#progress);
  }

  get hasMadeSomething(): boolean {
    return Object.keys(this.#progress.steps).length > 0;
  }

  get keysAreOld(): boolean {
    return this.#clock.now() - this.#held.attemptStartedAt > UPSTREAM_KEY_LIFE;
  }

  async renewKeys() {
    const renewed = { attempt: this.#held.attempt + 1, attemptStartedAt: this.#clock.now() };
    await this.move(renewed, []);
    this.#held = { ...this.#held, ...renewed };
  }

  upstreamKey(step: string, variant = ""): Promise<string> {
    return upstreamKeyOf(this.recordId, this.#held.attempt, step, variant);
  }

  async step<Output>(name: string, schema: z.ZodType<Output>, make: () => Promise<Output>, rows: (output: Output) => readonly Statement[]) {
    const made = this.made(name, schema);
    if (made !== undefined) return made;
    const output = await make();
    const { steps, notes } = this.#progress;
    // Known only once it is stored, and its rows with it: a failure stores what is known.
    await this.move({ progress: JSON.stringify({ steps: { ...steps, [name]: output }, notes }) }, rows(output));
    steps[name] = output;
    return output;
  }

  made<Output>(name: string, schema: z.ZodType<Output>): Output | undefined {
    const { steps } = this.#progress;
    return name in steps ? schema.parse(steps[name]) : undefined;
  }

  async remember<Output>(name: string, schema: z.ZodType<Output>, ask: () => Promise<Output>) {
    const known = this.recall(name, schema);
    if (known !== undefined) return known;
    const output = await ask();
    this.#progress.notes[name] = output;
    return output;
  }

  recall<Output>(name: string, schema: z.ZodType<Output>): Output | undefined {
    const { notes } = this.#progress;
    return name in notes ? schema.parse(notes[name]) : undefined;
  }

  async note(name: string, output: unknown) {
    const { steps, notes } = this.#progress;
    await this.move({ progress: JSON.stringify({ steps, notes: { ...notes, [name]: output } }) }, []);
    notes[name] = output;
  }

  async complete(result: string, rows: readonly Statement[]) {
    const done = { state: "completed", result, error: null, resumable: false, cleanUpAt: null, completedAt: this.#clock.now() } as const;
    await this.move({ ...done, progress: this.progress }, rows);
    return result;
  }

  /** Moves the record on, with the rows that follow. @throws OwnershipLost where another instance has claimed it. */
  async move(changes: Parameters<typeof advanceRecord>[3], rows: readonly Statement[]): Promise<void> {
    const epoch = await advanceRecord(this.#db, this.#held, this.#clock.now(), changes, rows);
    this.#held = { ...this.#held, epoch };
  }
}
