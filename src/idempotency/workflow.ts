import type { z } from "zod";
import type { Deadline } from "../core/deadline.ts";
import type { Environment } from "../core/environment.ts";
import { parseJson } from "../core/json.ts";
import type { Write } from "../db/prepared.ts";
import type { VersionProtocol } from "./protocol.ts";

/**
 * An operation that must happen once per key, as its module describes it. `plan` is every decision that is made before
 * the first side effect. `perform` carries out the plan and ends with `run.complete`; every repeat gets that result.
 */
export interface Workflow<Deps, Plan, Result> {
  readonly operation: string;
  readonly generation: VersionProtocol;
  readonly plan: z.ZodType<Plan>;
  readonly result: z.ZodType<Result>;
  /**
   * The environment of a plan that the catalogue chose. A caller that was not given it does not have the run go on: what the
   * catalogue says now may be another one.
   */
  readonly environmentOf?: (plan: Plan) => Environment;
  /** Whether the cron may resume an interrupted run. False where only a repeat of the caller may. */
  readonly autoResume: boolean;
  /** The budget of new records of a day that its runs draw on: the permission that its callers need. */
  readonly budget: string;
  perform(deps: Deps, plan: Plan, run: Run<Result>): Promise<Result>;
  /**
   * Undoes what failed attempts have made upstream and what must not stay there. It runs once no request can resume the
   * attempt any more: before the request starts over, after the last attempt, or a day later. It may run again.
   */
  readonly compensate?: (deps: Deps, plan: Plan, run: CompensationRun) => Promise<void>;
  /**
   * Whether the compensation comes within minutes, even while a repeat could still resume the attempt. Then the repeat
   * starts over. For what customers could pay meanwhile.
   */
  readonly compensateSoon?: boolean;
}

/** A run that has ended, as {@link Workflow.compensate} gets it. */
export type CompensationRun = Pick<
  RunContext,
  "recordId" | "partnerId" | "createdAt" | "begunAt" | "deadline" | "stepOutput" | "calledBetween"
>;

/** The run of a {@link Workflow} under one claimed record. */
export interface Run<Result> extends RunContext {
  /** Stores the result and `rows` in one transaction, and ends the run. */
  complete(result: Result, rows: readonly Write[]): Promise<Result>;
}

/** What a run offers, whatever its result is. */
interface RunContext {
  readonly recordId: string;
  readonly partnerId: string;
  /** The limit for all upstream calls of this run together; it counts their retries. */
  readonly deadline: Deadline;
  /** When the first request came, in Unix milliseconds. It is set anew when an expired result starts over. */
  readonly createdAt: number;
  /** When the record last started or started over, in Unix milliseconds. A resumed run keeps it. */
  readonly begunAt: number;
  /** Failed attempts since {@link RunContext.createdAt}. */
  readonly failedAttempts: number;
  /** Whether an earlier run of this attempt may have done more than the record shows. */
  readonly resumed: boolean;

  /** Whether the upstream may have forgotten the attempt's keys. Then a search must come before each call. */
  readonly keysAreOld: boolean;

  /** When calls under the attempt's present keys were made, in Unix milliseconds: what is searched for was created then. */
  calledBetween(): { readonly from: number; readonly to: number };

  /** Gives the attempt new keys. Call it only once it is certain that the calls under the old keys made nothing. */
  renewKeys(): Promise<void>;

  /** The upstream key of a step, valid while {@link RunContext.keysAreOld} is false; `variant` separates calls of one step with other parameters. */
  upstreamKey(step: string, variant?: string): Promise<string>;

  /**
   * The output of a step: from the record if an earlier run has stored it, else from `make`. A new output is stored in
   * one transaction with the rows that follow from it, before anything else happens.
   */
  step<Output>(
    name: string,
    schema: z.ZodType<Output>,
    make: () => Promise<Output>,
    rows: (output: Output) => readonly Write[],
  ): Promise<Output>;

  /** The output of a step of this run, or of an earlier run that this one continues. */
  stepOutput<Output>(name: string, schema: z.ZodType<Output>): Output | undefined;

  /** Like {@link RunContext.step} for a query that is cheap to repeat: its output is not stored now, but with the next write. */
  memo<Output>(name: string, schema: z.ZodType<Output>, ask: () => Promise<Output>): Promise<Output>;

  /** What this attempt has noted or remembered under a name. */
  readNote<Output>(name: string, schema: z.ZodType<Output>): Output | undefined;

  /** Stores a value for a resumed run, at once, before this run continues. */
  saveNote(name: string, output: unknown): Promise<void>;
}

/** A run on a record, before its workflow has given its result a type. It serves as a {@link Run} of any result. */
export interface UntypedRun extends RunContext {
  complete<Result>(result: Result, rows: readonly Write[]): Promise<Result>;
}

/** Any workflow, for a list of them: the types of plan and result stay inside it. */
export interface AnyWorkflow<Deps> {
  readonly operation: string;
  readonly generation: VersionProtocol;
  readonly autoResume: boolean;
  readonly budget: string;
  readonly environmentOf: (planText: string) => Environment | null;
  perform(deps: Deps, planText: string, run: UntypedRun): Promise<void>;
  readonly compensate: ((deps: Deps, planText: string, run: CompensationRun) => Promise<void>) | undefined;
  readonly compensateSoon: boolean;
}

/** Hides the types of plan and result. The plan is JSON in the call to the Durable Object and in the record. */
export function eraseTypes<Deps, Plan, Result>(workflow: Workflow<Deps, Plan, Result>): AnyWorkflow<Deps> {
  const { operation, generation, autoResume, plan, compensate, compensateSoon = false, budget, environmentOf } = workflow;
  return {
    operation,
    generation,
    autoResume,
    budget,
    environmentOf: (planText) => environmentOf?.(parseJson(plan, planText)) ?? null,
    async perform(deps, planText, run) {
      await workflow.perform(deps, parseJson(plan, planText), run);
    },
    compensate: compensate && ((deps, planText, run) => compensate(deps, parseJson(plan, planText), run)),
    compensateSoon,
  };
}
