import type { z } from "zod";
import type { Deadline } from "../core/deadline.ts";
import { parseJson } from "../core/json.ts";
import type { Statement } from "../db/client.ts";
import type { Generation } from "./protocol.ts";

/**
 * An operation that must happen once per key, as its room describes it. `plan` is everything that was decided before
 * anything was made; `perform` makes it and must end in `run.complete`, whose result is what every repeat gets.
 */
export interface Work<Tools, Plan, Result> {
  readonly operation: string;
  readonly generation: Generation;
  readonly plan: z.ZodType<Plan>;
  readonly result: z.ZodType<Result>;
  /** Whether the cron may finish it unasked. Not what only the caller's latest word should decide. */
  readonly finishUnasked: boolean;
  perform(tools: Tools, plan: Plan, run: Run<Result>): Promise<Result>;
  /**
   * Takes back what failed attempts have left upstream that should not stay there. Called once nobody goes on from
   * them: before the request begins anew, after the last attempt, or a day later. May be called again.
   */
  readonly cleanUp?: (tools: Tools, plan: Plan, run: PastRun) => Promise<void>;
}

/** A run as a {@link Work} finds it when it cleans up. */
export type PastRun = Pick<Run<unknown>, "recordId" | "partnerId" | "begunAt" | "deadline" | "made">;

/** The run of a {@link Work} under one claimed record. */
export interface Run<Result> {
  readonly recordId: string;
  readonly partnerId: string;
  /** By when all upstream calls of this run must have been answered; it counts their retries. */
  readonly deadline: Deadline;
  /** When the request that the key stands for was first made, in Unix milliseconds. */
  readonly createdAt: number;
  /** When the work that this run goes on from was begun: after a definite failure it is another. */
  readonly begunAt: number;
  /** Failed attempts since then. */
  readonly failedAttempts: number;
  /** Whether an earlier run of this attempt may have got further than the record says. */
  readonly resumed: boolean;

  /** Whether upstream may have forgotten the attempt's keys: what was asked under them must be looked for first. */
  readonly keysAreOld: boolean;

  /** Gives the attempt new keys, once it is certain that nothing came of what was asked under the old ones. */
  renewKeys(): Promise<void>;

  /** The upstream key of a step, while {@link Run.keysAreOld} is false; `variant` tells calls of one step apart whose parameters differ. */
  upstreamKey(step: string, variant?: string): Promise<string>;

  /**
   * What a step made: from the record where an earlier run got that far, otherwise by `make`, and then stored in one
   * transaction with the rows that follow from it before anything else happens.
   */
  step<Output>(
    name: string,
    schema: z.ZodType<Output>,
    make: () => Promise<Output>,
    rows: (output: Output) => readonly Statement[],
  ): Promise<Output>;

  /** What a step made in this run or an earlier one that this one goes on from. */
  made<Output>(name: string, schema: z.ZodType<Output>): Output | undefined;

  /** Like {@link Run.step} for what costs nothing to ask again: stored with the next write, not by itself. */
  remember<Output>(name: string, schema: z.ZodType<Output>, ask: () => Promise<Output>): Promise<Output>;

  /** What was noted or remembered under a name, in this run or an earlier one of the same attempt. */
  recall<Output>(name: string, schema: z.ZodType<Output>): Output | undefined;

  /** Stores something that a resumed run must know, before anything else happens. */
  note(name: string, output: unknown): Promise<void>;

  /** Stores the result in one transaction with the rows that follow from it, and ends the run. */
  complete(result: Result, rows: readonly Statement[]): Promise<Result>;
}

/** Any work, for a list of them: the types of plan and result are its own affair. */
export type AnyWork<Tools> = {
  readonly operation: string;
  readonly generation: Generation;
  readonly finishUnasked: boolean;
  start(tools: Tools, planText: string, run: Run<string>): Promise<string>;
  cleanUp: ((tools: Tools, planText: string, run: PastRun) => Promise<void>) | undefined;
};

/** A work behind texts: its plan and result cross the Durable Object's border, and lie in the record, as JSON. */
export function sealWork<Tools, Plan, Result>(work: Work<Tools, Plan, Result>): AnyWork<Tools> {
  const { cleanUp } = work;
  return {
    operation: work.operation,
    generation: work.generation,
    finishUnasked: work.finishUnasked,
    async start(tools, planText, run) {
      const typed: Run<Result> = {
        recordId: run.recordId,
        partnerId: run.partnerId,
        deadline: run.deadline,
        createdAt: run.createdAt,
        begunAt: run.begunAt,
        failedAttempts: run.failedAttempts,
        resumed: run.resumed,
        // It can turn while the run goes on.
        get keysAreOld() {
          return run.keysAreOld;
        },
        renewKeys: () => run.renewKeys(),
        upstreamKey: (step, variant) => run.upstreamKey(step, variant),
        step: (name, schema, make, rows) => run.step(name, schema, make, rows),
        made: (name, schema) => run.made(name, schema),
        recall: (name, schema) => run.recall(name, schema),
        note: (name, output) => run.note(name, output),
        remember: (name, schema, ask) => run.remember(name, schema, ask),
        async complete(result, rows) {
          await run.complete(JSON.stringify(result), rows);
          return result;
        },
      };
      return JSON.stringify(await work.perform(tools, parseJson(work.plan, planText), typed));
    },
    cleanUp: cleanUp && ((tools, planText, run) => cleanUp(tools, parseJson(work.plan, planText), run)),
  };
}
