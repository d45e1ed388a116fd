import type { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import { jsonObjectSchema, parseJson } from "../core/json.ts";
import type { Database, Statement } from "../db/client.ts";
import { upstreamKeyOf } from "./key.ts";
import { advanceRecord, type IdempotencyRecord } from "./store.ts";
import type { Run } from "./work.ts";

/** All upstream calls of one run together, in milliseconds; a caller waits no longer than that for its answer. */
const UPSTREAM_BUDGET = 25 * SECOND;

/** A {@link Run} on a record that this object holds. Results are texts here; `sealWork` gives them their types. */
export class RecordRun implements Run<string> {
  readonly recordId: string;
  readonly partnerId: string;
  readonly deadline: Deadline;
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #held: IdempotencyRecord;
  readonly #progress: Record<string, unknown>;

  constructor(db: Database, clock: Clock, held: IdempotencyRecord) {
    this.recordId = held.id;
    this.partnerId = held.partnerId;
    this.deadline = new Deadline(clock, UPSTREAM_BUDGET);
    this.#db = db;
    this.#clock = clock;
    this.#held = held;
    this.#progress = parseJson(jsonObjectSchema, held.progress);
  }

  /** The outputs of all steps so far, to be stored when the run cannot go on. */
  get progress(): string {
    return JSON.stringify(this.#progress);
  }

  get hasMadeSomething(): boolean {
    return Object.keys(this.#progress).length > 0;
  }

  upstreamKey(step: string, variant = ""): Promise<string> {
    return upstreamKeyOf(this.recordId, this.#held.attempt, step, variant);
  }

  async step<Output>(name: string, schema: z.ZodType<Output>, make: () => Promise<Output>, rows: (output: Output) => readonly Statement[]) {
    if (name in this.#progress) return schema.parse(this.#progress[name]);
    const output = await make();
    this.#progress[name] = output;
    await advanceRecord(this.#db, this.#held, this.#clock.now(), { progress: this.progress }, rows(output));
    return output;
  }

  async remember<Output>(name: string, schema: z.ZodType<Output>, ask: () => Promise<Output>) {
    if (name in this.#progress) return schema.parse(this.#progress[name]);
    const output = await ask();
    this.#progress[name] = output;
    return output;
  }

  async complete(result: string, rows: readonly Statement[]) {
    const now = this.#clock.now();
    const changes = { state: "completed", progress: this.progress, result, error: null, resumable: false, completedAt: now } as const;
    await advanceRecord(this.#db, this.#held, now, changes, rows);
    return result;
  }
}
